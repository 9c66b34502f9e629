import { render, screen } from '@testing-library/react';
import { Shares } from './share-bars.tsx';

it('shows one of a million beside the rest, and leaves out parts of 0', () => {
  render(
    <Shares
      summary="All but one are delivered."
      shares={[
        { name: 'Delivered', count: 999_999, tone: 'good' },
        { name: 'Queued', count: 1, tone: 'accent' },
        { name: 'Missing', count: 0, tone: 'bad' },
      ]}
    />,
  );

  const parts = [...screen.getByRole('img', { name: 'All but one are delivered.' }).children];

  expect(parts.map((part) => part.textContent)).toEqual(['Delivered: 999999', 'Queued: 1']);
  expect(parts.map((part) => Number(part.getAttribute('width')) >= 6)).toEqual([true, true]);
  const last = parts.at(-1);
  expect(Number(last?.getAttribute('x')) + Number(last?.getAttribute('width'))).toBeCloseTo(1_000);
});

import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Sparkline, sparklineScale } from './sparkline.tsx';

it('says the number it draws, and lets one event be seen beside a thousand', async () => {
  const { container } = render(<Sparkline counts={[0, 1, 1_000]} scale={1_000} />);

  expect(screen.getByRole('img', { name: '1,001 in the last 3 hours' })).toBeInTheDocument();
  expect(Array.from(container.querySelectorAll('rect'), (bar) => bar.getAttribute('height'))).toEqual([
    '1',
    '2',
    '20',
  ]);
  expect(await axe(container)).toHaveNoViolations();
});

it('draws nothing of nothing', () => {
  render(<Sparkline counts={[]} scale={0} />);

  expect(screen.getByRole('img')).toBeEmptyDOMElement();
});

it('draws rows of one list on one scale', () => {
  const rows = [{ hours: [0, 79] }, { hours: [1, 0] }];

  const { container } = render(<Sparkline counts={[79, 40]} scale={sparklineScale(rows)} />);

  const heights = Array.from(container.querySelectorAll('rect'), (bar) => Number(bar.getAttribute('height')));
  expect(sparklineScale(rows)).toBe(79);
  expect(heights).toEqual([20, expect.closeTo(10.1, 1)]);
});

import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Sparkline } from './sparkline.tsx';

it('has its own scale, its sum and its largest count as text, and shows one event beside a thousand', async () => {
  const { container } = render(<Sparkline counts={[0, 1, 1_000]} />);

  expect(screen.getByRole('img')).toHaveAccessibleName('1,001 in the last 3 hours, max');
  expect(screen.getByText('1,000/h')).toBeInTheDocument();
  expect(Array.from(container.querySelectorAll('rect'), (bar) => bar.getAttribute('height'))).toEqual([
    '1',
    '2',
    '20',
  ]);
  expect(await axe(container)).toHaveNoViolations();
});

it('draws nothing of nothing', () => {
  render(<Sparkline counts={[]} />);

  expect(screen.getByRole('img')).toBeEmptyDOMElement();
});

import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Sparkline } from './sparkline.tsx';

it('says the number it draws, and lets one event be seen beside a thousand', async () => {
  const { container } = render(<Sparkline counts={[0, 1, 1_000]} />);

  expect(screen.getByRole('img', { name: '1,001 in the last 3 hours' })).toBeInTheDocument();
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

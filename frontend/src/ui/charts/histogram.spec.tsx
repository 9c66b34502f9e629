import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Histogram } from './histogram.tsx';

const BARS = [
  { label: '01:00', count: 0 },
  { label: '02:00', count: 1 },
  { label: '03:00', count: 1_000 },
];

it('has one sentence as its text', async () => {
  const { container } = render(
    <Histogram
      bars={BARS}
      summary="1,001 in 3 hours"
      caption="Last 3 hours, max 1,000 per hour"
      from="then"
      to="now"
    />,
  );

  expect(screen.getByRole('img', { name: '1,001 in 3 hours' })).toBeInTheDocument();
  expect(screen.getByText('Last 3 hours, max 1,000 per hour')).toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
});

it('draws a gap where there is no count', () => {
  const bars = [{ label: '00:00', count: null }, ...BARS];
  const { container } = render(
    <Histogram bars={bars} summary="all" caption="Last 3 hours, max 1,000 per hour" from="then" to="now" />,
  );

  expect(Array.from(container.querySelectorAll('rect'), (bar) => bar.getAttribute('x'))).toEqual([
    '11',
    '21',
    '31',
  ]);
});

it('lets one event be seen beside a thousand', () => {
  const { container } = render(
    <Histogram bars={BARS} summary="all" caption="Last 3 hours, max 1,000 per hour" from="then" to="now" />,
  );

  expect(Array.from(container.querySelectorAll('rect'), (bar) => bar.getAttribute('height'))).toEqual([
    '1',
    '3',
    '48',
  ]);
});

import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import type { DeliveryMinutes } from '@errata/backend/contract/delivery-api.ts';
import { DeliveryHistory } from './delivery-history.tsx';
import { DELIVERY } from './delivery.fixture.ts';

/** Minutes until 03:05 UTC, each as `queued/delivered`; `-` has no count. The zone of the reader may be another. */
const until = (...minutes: readonly string[]): DeliveryMinutes => ({
  end: '2026-11-21T03:05:00Z',
  minutes: minutes.map((minute) => {
    const [queued, delivered] = minute.split('/').map(Number);
    return delivered === undefined ? null : { queued: queued ?? 0, accepted: 0, delivered };
  }),
});

const names = () => screen.getAllByRole('slider').map((picture) => picture.getAttribute('aria-label'));

it('says since when it counts, and when an outage began, in the picture and in words', async () => {
  const { container } = render(<DeliveryHistory history={DELIVERY.history} />);

  expect(screen.getByText(/^since \d\d:55 /)).toBeInTheDocument();
  expect(screen.getByText(/^Queued, max 36, last empty at \d\d:00 /)).toBeInTheDocument();
  expect(names()).toEqual([
    expect.stringMatching(/^Queued, max 36, last empty at \d\d:00 .*, since \d\d:55 /),
    expect.stringMatching(/^Delivered per minute, max 9, last at \d\d:00 .*, since \d\d:55 /),
  ]);
  expect(await axe(container)).toHaveNoViolations();
});

it.each([
  ['all is delivered', ['0/3', '2/3', '0/1'], 'Queued, max 2', 'Delivered per minute, max 3'],
  ['nothing arrives', ['0/0', '-', '0/0'], 'Queued, max 0', 'Delivered per minute, max 0'],
  ['it began before', ['7/0', '8/0', '9/0'], 'Queued, max 9', 'Delivered per minute, max 0'],
])('names no change while there is none: %s', (_, minutes, queued, delivered) => {
  render(<DeliveryHistory history={until(...minutes)} />);

  expect(names()).toEqual([`${queued}, last 3 hours`, `${delivered}, last 3 hours`]);
});

it('draws a minute without a count as a gap', () => {
  const { container } = render(<DeliveryHistory history={until('1/2', '-', '3/4')} />);

  // A bar beside the place for the pointer.
  const drawn = Array.from(container.querySelectorAll('g'), ({ childElementCount }) => childElementCount - 1);
  expect(drawn).toEqual([1, 0, 1, 1, 0, 1]);
});

it('is not there before the first count', () => {
  const { container } = render(<DeliveryHistory history={until('-', '-')} />);

  expect(container).toBeEmptyDOMElement();
});

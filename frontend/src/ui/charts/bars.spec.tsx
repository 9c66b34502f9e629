import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { Bars } from './bars.tsx';

const BARS = [
  { text: '01:00 · none', counts: [0, 0] },
  { text: '02:00 · 1 event', counts: [0, 1] },
  { text: '03:00 · 1,000 events', counts: [750, 250], isMarked: true },
];
const CAPTION = 'Last 3 hours, max 1,000 per hour';

function show(bars: Parameters<typeof Bars>[0]['bars'] = BARS) {
  const chosen: number[] = [];
  const { container } = render(
    <Bars bars={bars} caption={CAPTION} from="then" to="now" onChoose={(at) => void chosen.push(at)} />,
  );
  const bar = (at: number) => container.querySelector(`[data-at="${at}"] > rect`) ?? container;
  return { container, chosen, slider: screen.getByRole('slider'), bar };
}

it('is one tab stop whose arrows pick a bar, and Enter chooses it', async () => {
  const user = userEvent.setup();
  const { container, chosen, slider } = show();
  expect(slider).toHaveAccessibleName(CAPTION);
  expect(slider).toHaveAttribute('aria-valuetext', '03:00 · 1,000 events');

  await user.tab();
  expect(slider).toHaveFocus();
  await user.keyboard('{ArrowLeft}');
  expect(slider).toHaveAttribute('aria-valuetext', '02:00 · 1 event');
  expect(screen.getByText('02:00 · 1 event')).toBeInTheDocument();
  expect(screen.queryByText(CAPTION)).not.toBeInTheDocument();
  expect(await axe(container)).toHaveNoViolations();
  await user.keyboard('{Enter}{Home}{ArrowLeft}{Enter}{End}{Enter}{Alt>}{ArrowLeft}{/Alt}{Enter}');

  expect(chosen).toEqual([1, 0, 2, 2]);
  await user.tab();
  expect(screen.getByText(CAPTION)).toBeInTheDocument();
});

it('shows the line of the bar below the pointer, and chooses the clicked one', async () => {
  const user = userEvent.setup();
  const { chosen, bar } = show();

  await user.hover(bar(1));
  expect(screen.getByText('02:00 · 1 event')).toBeInTheDocument();
  await user.click(bar(0));
  await user.unhover(bar(0));

  expect(chosen).toEqual([0]);
  expect(screen.getByText(CAPTION)).toBeInTheDocument();
});

it('picks a bar by the first tap, and chooses it by the second one', () => {
  const { chosen, bar } = show();
  const tap = (at: number) => {
    for (const name of ['pointerover', 'pointerout', 'click']) {
      // jsdom has no PointerEvent.
      const event = new MouseEvent(name, { bubbles: true });
      fireEvent(bar(at), Object.assign(event, { pointerType: 'touch' }));
    }
  };

  tap(1);
  expect(screen.getByText('02:00 · 1 event')).toBeInTheDocument();
  tap(2);
  expect(chosen).toEqual([]);
  tap(2);

  expect(chosen).toEqual([2]);
});

it('chooses the picked bar at a click of assistive technology, which names none', () => {
  const { chosen, slider } = show();

  fireEvent.click(slider);

  expect(chosen).toEqual([2]);
});

it('stacks the counts, marks a bar, and shows one event beside a thousand', () => {
  const { container } = show();

  const heights = Array.from(container.querySelectorAll('g'), (bar) =>
    Array.from(bar.querySelectorAll('rect + rect'), (rect) => rect.getAttribute('height')),
  );
  expect(heights).toEqual([['1'], ['3'], ['36', '12']]);
  expect(container.querySelectorAll('path')).toHaveLength(1);
});

it('draws a gap where there is no count, and names it', () => {
  const { container, slider } = show([...BARS, { text: '04:00 · not counted', counts: null }]);

  expect(container.querySelector('[data-at="3"]')?.children).toHaveLength(1);
  expect(slider).toHaveAttribute('aria-valuetext', '04:00 · not counted');
});

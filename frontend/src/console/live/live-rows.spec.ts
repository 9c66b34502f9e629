import { liveEvent } from '../../api/live-event.fixture.ts';
import {
  MAX_LIVE_ROWS,
  NO_ROWS,
  reduceRows,
  type LiveAction,
  type LiveRow,
  type LiveRows,
} from './live-rows.ts';

/** An answer with these events, and a number that it leaves out. */
function received(numbers: readonly number[], passed = 0): LiveAction {
  const events = numbers.map((number) => liveEvent(number));
  return { type: 'received', answer: { events, passed, next: `after ${numbers.at(-1)}` } };
}

function after(...moves: readonly LiveAction[]): LiveRows {
  return moves.reduce(reduceRows, NO_ROWS);
}

function idsOf(rows: readonly LiveRow[]): string {
  return rows.map((row) => (row.kind === 'event' ? Number(row.event.eventId) : row.id)).join(' ');
}

const CAME_1 = received([1]);
const CAME_2 = received([2]);
const ALL = received(Array.from({ length: MAX_LIVE_ROWS }, (_, index) => index + 1));

it('puts the newest on top', () => {
  expect(idsOf(after(CAME_1, CAME_2).shown)).toBe('2 1');
});

it('shows an event once, though an answer repeats it', () => {
  expect(idsOf(after(CAME_1, CAME_1).shown)).toBe('1');
});

it('holds what comes while it stands still, and knows how much', () => {
  const state = after(CAME_1, { type: 'pause', reason: 'button' }, CAME_2);

  expect(idsOf(state.shown)).toBe('1');
  expect(state.pendingEvents).toBe(1);
});

it('brings what waits and stands still all the same', () => {
  const state = after({ type: 'pause', reason: 'button' }, CAME_1, { type: 'show_pending' }, CAME_2);

  expect(idsOf(state.shown)).toBe('1');
  expect(idsOf(state.pending)).toBe('2');
});

it('goes on when the last reason to stand still is gone, not before', () => {
  const next = after({ type: 'pause', reason: 'scrolled' }, { type: 'pause', reason: 'reading' }, CAME_1, {
    type: 'resume',
    reason: 'reading',
  });

  expect(idsOf(next.shown)).toBe('');
  expect(idsOf(reduceRows(next, { type: 'resume', reason: 'scrolled' }).shown)).toBe('1');
});

it('shows the number of events that were left out below the events of its answer', () => {
  const state = after(CAME_1, received([2, 3], 30));

  expect(idsOf(state.shown)).toBe('3 2 gap/after 3 1');
  expect(state.cursor).toBe('after 3');
});

it('lets the oldest go when there are too many, and says so', () => {
  const state = after(ALL, received([MAX_LIVE_ROWS + 1]));

  expect(state.shown).toHaveLength(MAX_LIVE_ROWS);
  expect(idsOf(state.shown.slice(-1))).toBe('2');
  expect(state.isCut).toBe(true);
});

it('counts what waits past the cap', () => {
  const state = after({ type: 'pause', reason: 'button' }, ALL, received([MAX_LIVE_ROWS + 1], 30));

  expect(state.pending).toHaveLength(MAX_LIVE_ROWS);
  expect(state.pendingEvents).toBe(MAX_LIVE_ROWS + 31);
});

it('is the same state when nothing changed', () => {
  const state = after(CAME_1);

  expect(reduceRows(state, { type: 'resume', reason: 'button' })).toBe(state);
  expect(reduceRows(state, { type: 'show_pending' })).toBe(state);
});

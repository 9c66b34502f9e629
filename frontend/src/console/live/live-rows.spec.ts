import { liveEvent } from '../../api/live-event.fixture.ts';
import { MAX_LIVE_ROWS, NO_ROWS, moveRows, type LiveMove, type LiveRow, type LiveRows } from './live-rows.ts';

function row(number: number): LiveRow {
  return { kind: 'event', id: String(number), event: liveEvent(number) };
}

function after(...moves: readonly LiveMove[]): LiveRows {
  return moves.reduce(moveRows, NO_ROWS);
}

function idsOf(rows: readonly LiveRow[]): string {
  return rows.map(({ id }) => id).join(' ');
}

const CAME_1: LiveMove = { type: 'came', rows: [row(1)] };
const CAME_2: LiveMove = { type: 'came', rows: [row(2)] };
const ALL = Array.from({ length: MAX_LIVE_ROWS }, (_, index) => row(MAX_LIVE_ROWS - index));

it('puts the newest on top', () => {
  expect(idsOf(after(CAME_1, CAME_2).shown)).toBe('2 1');
});

it('shows an event once, though a stream repeats it', () => {
  expect(idsOf(after(CAME_1, CAME_1).shown)).toBe('1');
});

it('holds what comes while it stands still, and knows how much', () => {
  const state = after(CAME_1, { type: 'pause', why: 'asked' }, CAME_2);

  expect(idsOf(state.shown)).toBe('1');
  expect(state.waitingEvents).toBe(1);
});

it('brings what waits and stands still all the same', () => {
  const state = after({ type: 'pause', why: 'asked' }, CAME_1, { type: 'bring' }, CAME_2);

  expect(idsOf(state.shown)).toBe('1');
  expect(idsOf(state.waiting)).toBe('2');
});

it('goes on when the last reason to stand still is gone, not before', () => {
  const held = after({ type: 'pause', why: 'scrolled' }, { type: 'pause', why: 'reading' }, CAME_1, {
    type: 'resume',
    why: 'reading',
  });

  expect(idsOf(held.shown)).toBe('');
  expect(idsOf(moveRows(held, { type: 'resume', why: 'scrolled' }).shown)).toBe('1');
});

it('lets the oldest go when there are too many, and says so', () => {
  const state = after({ type: 'came', rows: ALL }, { type: 'came', rows: [row(MAX_LIVE_ROWS + 1)] });

  expect(state.shown).toHaveLength(MAX_LIVE_ROWS);
  expect(state.shown.at(-1)?.id).toBe('2');
  expect(state.isCut).toBe(true);
});

it('counts what waits past the cap', () => {
  const state = after(
    { type: 'pause', why: 'asked' },
    { type: 'came', rows: ALL },
    { type: 'came', rows: [row(MAX_LIVE_ROWS + 1)] },
    { type: 'came', rows: [{ kind: 'gap', id: 'gap', events: 30 }] },
  );

  expect(state.waiting).toHaveLength(MAX_LIVE_ROWS);
  expect(state.waitingEvents).toBe(MAX_LIVE_ROWS + 31);
});

it('is the same state when nothing changed', () => {
  const state = after(CAME_1);

  expect(moveRows(state, { type: 'resume', why: 'asked' })).toBe(state);
  expect(moveRows(state, { type: 'bring' })).toBe(state);
});

import type { LiveEvent } from '@errata/backend/contract/live-api.ts';

/** Rows kept in the page: more than anybody scrolls, few enough to draw at once. */
export const MAX_LIVE_ROWS = 200;

export type LiveRow =
  | { readonly kind: 'event'; readonly id: string; readonly event: LiveEvent }
  /** Events that were passed over; null: nobody knows how many. */
  | { readonly kind: 'gap'; readonly id: string; readonly events: number | null };

/** Why the list stands still: by the button, far from its top, or with the focus on a row. */
export type Pause = 'asked' | 'scrolled' | 'reading';

export interface LiveRows {
  /** Newest first. */
  readonly shown: readonly LiveRow[];
  /** What came while the list stood still, newest first. */
  readonly waiting: readonly LiveRow[];
  /** Events that wait, those that are past the cap included. */
  readonly waitingEvents: number;
  readonly pauses: readonly Pause[];
  /** Whether older rows were let go of. */
  readonly isCut: boolean;
  /** Where the stream goes on behind these rows; null until something came. */
  readonly cursor: string | null;
}

export type LiveMove =
  | { readonly type: 'came'; readonly rows: readonly LiveRow[]; readonly cursor?: string | null }
  | { readonly type: 'pause'; readonly why: Pause }
  | { readonly type: 'resume'; readonly why: Pause }
  /** Shows what waits, whether or not the list goes on. */
  | { readonly type: 'bring' };

export const NO_ROWS: LiveRows = {
  shown: [],
  waiting: [],
  waitingEvents: 0,
  pauses: [],
  isCut: false,
  cursor: null,
};

function eventsOf(rows: readonly LiveRow[]): number {
  return rows.reduce((sum, row) => sum + (row.kind === 'event' ? 1 : (row.events ?? 0)), 0);
}

function withCame(state: LiveRows, rows: readonly LiveRow[]): LiveRows {
  // A stream that is taken up again may repeat its last events.
  const known = new Set([...state.shown, ...state.waiting].map(({ id }) => id));
  const added = rows.filter(({ id }) => !known.has(id));
  const waiting = [...added, ...state.waiting];
  const held = {
    ...state,
    waiting: waiting.slice(0, MAX_LIVE_ROWS),
    waitingEvents: state.waitingEvents + eventsOf(added),
    isCut: state.isCut || waiting.length > MAX_LIVE_ROWS,
  };
  return state.pauses.length === 0 ? brought(held) : held;
}

function brought(state: LiveRows): LiveRows {
  if (state.waiting.length === 0) return state;
  const shown = [...state.waiting, ...state.shown];
  return {
    ...state,
    shown: shown.slice(0, MAX_LIVE_ROWS),
    waiting: [],
    waitingEvents: 0,
    isCut: state.isCut || shown.length > MAX_LIVE_ROWS,
  };
}

function resumed(state: LiveRows, why: Pause): LiveRows {
  if (!state.pauses.includes(why)) return state;
  const pauses = state.pauses.filter((pause) => pause !== why);
  return pauses.length === 0 ? brought({ ...state, pauses }) : { ...state, pauses };
}

/** Every move of the live list. */
export function moveRows(state: LiveRows, move: LiveMove): LiveRows {
  switch (move.type) {
    case 'came':
      return withCame({ ...state, cursor: move.cursor ?? state.cursor }, move.rows);
    case 'pause':
      return state.pauses.includes(move.why) ? state : { ...state, pauses: [...state.pauses, move.why] };
    case 'resume':
      return resumed(state, move.why);
    case 'bring':
      return brought(state);
  }
}

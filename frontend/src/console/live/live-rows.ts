import type { LiveEvent, LiveEvents } from '@errata/backend/contract/live-api.ts';

/** Rows of the list: enough to scroll through, few enough to render at once. */
export const MAX_LIVE_ROWS = 200;

export type LiveRow =
  | { readonly kind: 'event'; readonly id: string; readonly event: LiveEvent }
  /** Number of events that the server left out. */
  | { readonly kind: 'gap'; readonly id: string; readonly events: number };

/** Why the list is paused: by the button, scrolled down, or with the focus on a row. */
export type PauseReason = 'button' | 'scrolled' | 'reading';

export interface LiveRows {
  /** Newest first. */
  readonly shown: readonly LiveRow[];
  /** Rows that arrived during a pause, newest first. */
  readonly pending: readonly LiveRow[];
  /** Number of pending events, including those above the limit. */
  readonly pendingEvents: number;
  readonly pauses: readonly PauseReason[];
  /** Whether older rows were removed. */
  readonly isCut: boolean;
  /** Cursor after these rows; null before the first answer. */
  readonly cursor: string | null;
}

export type LiveAction =
  | { readonly type: 'received'; readonly answer: LiveEvents }
  | { readonly type: 'pause'; readonly reason: PauseReason }
  | { readonly type: 'resume'; readonly reason: PauseReason }
  /** Shows pending rows; the pause stays. */
  | { readonly type: 'show_pending' };

export const NO_ROWS: LiveRows = {
  shown: [],
  pending: [],
  pendingEvents: 0,
  pauses: [],
  isCut: false,
  cursor: null,
};

function eventsOf(rows: readonly LiveRow[]): number {
  return rows.reduce((sum, row) => sum + (row.kind === 'event' ? 1 : row.events), 0);
}

/** Newest first; the events that the server left out are older than the others. */
function rowsOf({ events, passed, next }: LiveEvents): readonly LiveRow[] {
  const rows = events.map((event): LiveRow => ({
    kind: 'event',
    id: `${event.project}/${event.eventId}`,
    event,
  }));
  return [
    ...rows.toReversed(),
    ...(passed > 0 ? [{ kind: 'gap', id: `gap/${next}`, events: passed } as const] : []),
  ];
}

function withReceived(state: LiveRows, answer: LiveEvents): LiveRows {
  // A poll that ran before the last answer was shown repeats its events.
  const known = new Set([...state.shown, ...state.pending].map(({ id }) => id));
  const added = rowsOf(answer).filter(({ id }) => !known.has(id));
  const pending = [...added, ...state.pending];
  const next = {
    ...state,
    cursor: answer.next,
    pending: pending.slice(0, MAX_LIVE_ROWS),
    pendingEvents: state.pendingEvents + eventsOf(added),
    isCut: state.isCut || pending.length > MAX_LIVE_ROWS,
  };
  return state.pauses.length === 0 ? withPendingShown(next) : next;
}

function withPendingShown(state: LiveRows): LiveRows {
  if (state.pending.length === 0) return state;
  const shown = [...state.pending, ...state.shown];
  return {
    ...state,
    shown: shown.slice(0, MAX_LIVE_ROWS),
    pending: [],
    pendingEvents: 0,
    isCut: state.isCut || shown.length > MAX_LIVE_ROWS,
  };
}

function resumed(state: LiveRows, reason: PauseReason): LiveRows {
  if (!state.pauses.includes(reason)) return state;
  const pauses = state.pauses.filter((pause) => pause !== reason);
  return pauses.length === 0 ? withPendingShown({ ...state, pauses }) : { ...state, pauses };
}

/** Applies an action to the live list. */
export function reduceRows(state: LiveRows, action: LiveAction): LiveRows {
  switch (action.type) {
    case 'received':
      return withReceived(state, action.answer);
    case 'pause':
      return state.pauses.includes(action.reason)
        ? state
        : { ...state, pauses: [...state.pauses, action.reason] };
    case 'resume':
      return resumed(state, action.reason);
    case 'show_pending':
      return withPendingShown(state);
  }
}

import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState, type Dispatch } from 'react';
import { LiveStream, type StreamListener, type StreamState } from '../../api/live-stream.ts';
import { SESSION_KEY } from '../../api/session.ts';
import {
  MAX_LIVE_ROWS,
  NO_ROWS,
  reduceRows,
  type LiveAction,
  type LiveRow,
  type LiveRows,
} from './live-rows.ts';

/** Renders the events of a burst together; a delay of 0.1 s is not noticeable. */
const BATCH_MS = 100;

export interface Live {
  readonly rows: LiveRows;
  readonly state: StreamState;
  readonly dispatch: Dispatch<LiveAction>;
}

/** Collects rows, newest first, and passes them on together. */
function batcher(onRows: (rows: readonly LiveRow[]) => void) {
  let batch: LiveRow[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  return {
    add(row: LiveRow): void {
      batch.unshift(row);
      // These rows would be removed anyway. They are not counted, which matters only at 2,000 events a second.
      if (batch.length > MAX_LIVE_ROWS * 2) batch.pop();
      timer ??= setTimeout(() => {
        const rows = batch;
        batch = [];
        timer = null;
        onRows(rows);
      }, BATCH_MS);
    },
    stop(): void {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Rows of the page when it was left, so that they are there when the user comes back from a row. */
const LIVE_KEY = ['live'] as const;

/** Resumes at the top, with the focus on no row; only a pause by the button stays. */
function readStoredRows(client: QueryClient): LiveRows {
  const stored = client.getQueryData<LiveRows>(LIVE_KEY) ?? NO_ROWS;
  return (['scrolled', 'reading'] as const).reduce(
    (rows, reason) => reduceRows(rows, { type: 'resume', reason }),
    stored,
  );
}

/** Returns the events since the page was opened first, and follows new ones. */
export function useLive(): Live {
  const client = useQueryClient();
  const [rows, dispatch] = useReducer(reduceRows, client, readStoredRows);
  const [state, setState] = useState<StreamState>('connecting');

  useEffect(() => {
    let gaps = 0;
    // The cursor belongs to the rows before it: rows still being collected are sent again.
    const batch = batcher((came) => dispatch({ type: 'received', rows: came, cursor: stream.cursor }));
    const listener: StreamListener = {
      onEvent: (event) => batch.add({ kind: 'event', id: `${event.project}/${event.eventId}`, event }),
      onGap: (events) => {
        gaps += 1;
        batch.add({ kind: 'gap', id: `gap/${stream.cursor}/${gaps}`, events });
      },
      onState: (next) => {
        setState(next);
        // The session may have ended; the session query tells.
        if (next === 'refused') void client.invalidateQueries({ queryKey: SESSION_KEY });
      },
    };
    const stream = new LiveStream(listener, readStoredRows(client).cursor);
    return () => {
      stream.stop();
      batch.stop();
    };
  }, [client]);

  useEffect(() => {
    // Kept without a time limit; signing out removes it.
    client.setQueryDefaults(LIVE_KEY, { gcTime: Infinity, structuralSharing: false });
    client.setQueryData(LIVE_KEY, rows);
  }, [client, rows]);

  return { rows, state, dispatch };
}

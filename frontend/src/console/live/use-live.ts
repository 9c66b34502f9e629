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

/** Events of a burst come in one by one and are drawn together; nobody sees a tenth of a second. */
const BATCH_MS = 100;

export interface Live {
  readonly rows: LiveRows;
  readonly state: StreamState;
  readonly dispatch: Dispatch<LiveAction>;
}

/** Gathers rows, newest first, and hands them on together. */
function batcher(onRows: (rows: readonly LiveRow[]) => void) {
  let batch: LiveRow[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  return {
    add(row: LiveRow): void {
      batch.unshift(row);
      // What would be let go of anyway; counted would be better, but at 2,000 events a second nobody counts.
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

/** What came before the page was left, so that nobody who opens a row and comes back has lost the others. */
const LIVE_KEY = ['live'] as const;

/** Taken up again at the top, with the focus on no row: only the button still holds it. */
function readStoredRows(client: QueryClient): LiveRows {
  const stored = client.getQueryData<LiveRows>(LIVE_KEY) ?? NO_ROWS;
  return (['scrolled', 'reading'] as const).reduce(
    (rows, reason) => reduceRows(rows, { type: 'resume', reason }),
    stored,
  );
}

/** What comes in while the page is open, and since it was open last. */
export function useLive(): Live {
  const client = useQueryClient();
  const [rows, dispatch] = useReducer(reduceRows, client, readStoredRows);
  const [state, setState] = useState<StreamState>('connecting');

  useEffect(() => {
    let gaps = 0;
    // The cursor goes with the rows it stands behind: what is still being batch comes again.
    const batch = batcher((came) => dispatch({ type: 'received', rows: came, cursor: stream.cursor }));
    const listener: StreamListener = {
      onEvent: (event) => batch.add({ kind: 'event', id: `${event.project}/${event.eventId}`, event }),
      onGap: (events) => {
        gaps += 1;
        batch.add({ kind: 'gap', id: `gap/${stream.cursor}/${gaps}`, events });
      },
      onState: (next) => {
        setState(next);
        // The session may be over: it says so itself.
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
    // However long one reads elsewhere; a sign-out forgets it.
    client.setQueryDefaults(LIVE_KEY, { gcTime: Infinity, structuralSharing: false });
    client.setQueryData(LIVE_KEY, rows);
  }, [client, rows]);

  return { rows, state, dispatch };
}

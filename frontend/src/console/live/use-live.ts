import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState, type Dispatch } from 'react';
import { LiveStream, type StreamListener, type StreamState } from '../../api/live-stream.ts';
import { SESSION_KEY } from '../../api/session.ts';
import { MAX_LIVE_ROWS, NO_ROWS, moveRows, type LiveMove, type LiveRow, type LiveRows } from './live-rows.ts';

/** Events of a burst come in one by one and are drawn together; nobody sees a tenth of a second. */
const GATHER_MS = 100;

export interface Live {
  readonly rows: LiveRows;
  readonly state: StreamState;
  readonly move: Dispatch<LiveMove>;
}

/** Gathers rows, newest first, and hands them on together. */
function gatherer(onRows: (rows: readonly LiveRow[]) => void) {
  let gathered: LiveRow[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  return {
    add(row: LiveRow): void {
      gathered.unshift(row);
      // What would be let go of anyway; counted would be better, but at 2,000 events a second nobody counts.
      if (gathered.length > MAX_LIVE_ROWS * 2) gathered.pop();
      timer ??= setTimeout(() => {
        const rows = gathered;
        gathered = [];
        timer = null;
        onRows(rows);
      }, GATHER_MS);
    },
    stop(): void {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** What came before the page was left, so that nobody who opens a row and comes back has lost the others. */
const LIVE_KEY = ['live'] as const;

/** Taken up again at the top, with the focus on no row: only the button still holds it. */
function readKept(client: QueryClient): LiveRows {
  const kept = client.getQueryData<LiveRows>(LIVE_KEY) ?? NO_ROWS;
  return (['scrolled', 'reading'] as const).reduce(
    (rows, why) => moveRows(rows, { type: 'resume', why }),
    kept,
  );
}

/** What comes in while the page is open, and since it was open last. */
export function useLive(): Live {
  const client = useQueryClient();
  const [rows, move] = useReducer(moveRows, client, readKept);
  const [state, setState] = useState<StreamState>('connecting');

  useEffect(() => {
    let gaps = 0;
    // The cursor goes with the rows it stands behind: what is still being gathered comes again.
    const gathered = gatherer((came) => move({ type: 'came', rows: came, cursor: stream.cursor }));
    const listener: StreamListener = {
      onEvent: (event) => gathered.add({ kind: 'event', id: `${event.project}/${event.eventId}`, event }),
      onGap: (events) => {
        gaps += 1;
        gathered.add({ kind: 'gap', id: `gap/${stream.cursor}/${gaps}`, events });
      },
      onState: (next) => {
        setState(next);
        // The session may be over: it says so itself.
        if (next === 'refused') void client.invalidateQueries({ queryKey: SESSION_KEY });
      },
    };
    const stream = new LiveStream(listener, readKept(client).cursor);
    return () => {
      stream.stop();
      gathered.stop();
    };
  }, [client]);

  useEffect(() => {
    // However long one reads elsewhere; a sign-out forgets it.
    client.setQueryDefaults(LIVE_KEY, { gcTime: Infinity, structuralSharing: false });
    client.setQueryData(LIVE_KEY, rows);
  }, [client, rows]);

  return { rows, state, move };
}

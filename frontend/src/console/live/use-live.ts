import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState, type Dispatch } from 'react';
import { LiveStream, type StreamState } from '../../api/live-stream.ts';
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

/** What comes in, as long as the page is open. */
export function useLive(): Live {
  const client = useQueryClient();
  const [rows, move] = useReducer(moveRows, NO_ROWS);
  const [state, setState] = useState<StreamState>('connecting');

  useEffect(() => {
    let gaps = 0;
    const gathered = gatherer((came) => move({ type: 'came', rows: came }));
    const stream = new LiveStream({
      onEvent: (event) => gathered.add({ kind: 'event', id: `${event.project}/${event.eventId}`, event }),
      onGap: (events) => {
        gaps += 1;
        gathered.add({ kind: 'gap', id: `gap/${gaps}`, events });
      },
      onState: (next) => {
        setState(next);
        // The session may be over: it says so itself.
        if (next === 'refused') void client.invalidateQueries({ queryKey: SESSION_KEY });
      },
    });
    return () => {
      stream.stop();
      gathered.stop();
    };
  }, [client]);

  return { rows, state, move };
}

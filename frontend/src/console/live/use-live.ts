import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, type Dispatch } from 'react';
import { type LiveState, useLiveEvents } from '../../api/live.ts';
import { NO_ROWS, reduceRows, type LiveAction, type LiveRows } from './live-rows.ts';

interface Live {
  readonly rows: LiveRows;
  readonly state: LiveState;
  readonly dispatch: Dispatch<LiveAction>;
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
  const { answer, state } = useLiveEvents(rows.cursor);
  if (answer !== null && answer.next !== rows.cursor) dispatch({ type: 'received', answer });

  useEffect(() => {
    // Kept without a time limit; signing out removes it.
    client.setQueryDefaults(LIVE_KEY, { gcTime: Infinity, structuralSharing: false });
    client.setQueryData(LIVE_KEY, rows);
  }, [client, rows]);

  return { rows, state, dispatch };
}

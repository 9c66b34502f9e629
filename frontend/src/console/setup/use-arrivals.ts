import type { LiveEvent } from '@errata/backend/contract/live-api.ts';
import { useState } from 'react';
import { type LiveState, useLiveEvents } from '../../api/live.ts';
import { isTestError, WAYS } from './ways.ts';

export interface Arrivals {
  readonly state: LiveState;
  /** The last test error of each way since the page was opened, by the way's ID. */
  readonly byWay: ReadonlyMap<string, LiveEvent>;
}

/** Follows new events, and keeps the test errors among them. */
export function useArrivals(): Arrivals {
  const [byWay, setByWay] = useState<ReadonlyMap<string, LiveEvent>>(new Map());
  const [cursor, setCursor] = useState<string | null>(null);
  const { answer, state } = useLiveEvents(cursor);
  if (answer !== null && answer.next !== cursor) {
    setCursor(answer.next);
    const arrived = answer.events.flatMap((event) =>
      WAYS.filter((way) => isTestError(way, event.title)).map((way) => [way.id, event] as const),
    );
    if (arrived.length > 0) setByWay(new Map([...byWay, ...arrived]));
  }
  return { state, byWay };
}

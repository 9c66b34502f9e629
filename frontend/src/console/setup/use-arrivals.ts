import type { LiveEvent } from '@errata/backend/contract/live-api.ts';
import { useEffect, useState } from 'react';
import { LiveStream, type StreamState } from '../../api/live-stream.ts';
import { isTestError, WAYS } from './ways.ts';

export interface Arrivals {
  readonly state: StreamState;
  /** The last test error of each way since the page was opened, by the way's ID. */
  readonly byWay: ReadonlyMap<string, LiveEvent>;
}

/** Follows new events, and keeps the test errors among them. */
export function useArrivals(): Arrivals {
  const [state, setState] = useState<StreamState>('connecting');
  const [byWay, setByWay] = useState<ReadonlyMap<string, LiveEvent>>(new Map());

  useEffect(() => {
    const stream = new LiveStream({
      onEvent: (event) => {
        const way = WAYS.find((one) => isTestError(one, event.title));
        if (way !== undefined) setByWay((before) => new Map(before).set(way.id, event));
      },
      onGap: () => undefined,
      onState: setState,
    });
    return () => stream.stop();
  }, []);

  return { state, byWay };
}

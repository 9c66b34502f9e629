import type { EventStore } from '../../backend/src/store/event-store.ts';
import { type Span, startClock } from './clock.ts';
import { type Corpus, envelopes } from './events.ts';

/** As the relay hands them over; see store-sink.ts. */
const BATCH = 128;
/** How often a line shows that work goes on. */
const LINES = 5;

/** Stores the corpus through the ingest; making the envelopes is not counted. */
export async function ingestAll(
  store: EventStore,
  corpus: Corpus,
  print: (line: string) => void,
): Promise<Span> {
  const stop = startClock();
  const startedAtMs = performance.now();
  let makingMs = 0;
  let line = 1;
  for (let first = 0; first < corpus.events; first += BATCH) {
    const beganMs = performance.now();
    const batch = envelopes(first, Math.min(BATCH, corpus.events - first), corpus);
    makingMs += performance.now() - beganMs;
    const settled = await store.ingest(batch);
    if (settled.some(({ outcome }) => outcome !== 'delivered')) throw new Error('the store took not all');
    const done = first + batch.length;
    if (done < (line * corpus.events) / LINES) continue;
    const seconds = (performance.now() - startedAtMs - makingMs) / 1000;
    print(
      `  ${done.toLocaleString('en')} events, ${Math.round(done / seconds).toLocaleString('en')}/s so far`,
    );
    line += 1;
  }
  const { seconds, ownCpu, ...rest } = stop();
  return { ...rest, seconds: seconds - makingMs / 1000, ownCpu: ownCpu - makingMs / 1000 };
}

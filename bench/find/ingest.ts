import type { QueuedEnvelope } from '../../backend/src/sink/queued-envelope.ts';
import { packForStore } from '../../backend/src/store/event/store-envelope.ts';
import type { Store } from '../../backend/src/store/store.ts';
import { type Span, startClock } from './clock.ts';
import { type Corpus, envelopes } from './events.ts';

/** As the relay hands them over; see store-sink.ts. */
const BATCH = 128;
/** How often a line shows that work goes on. */
const LINES = 5;

/** Batches that are made before they are stored: some 24 MiB. */
const MADE_AHEAD = 64;

/**
 * Stores the corpus through the ingest, so many batches at once as the relay has under way. Making the envelopes is not
 * counted: nothing else goes on meanwhile.
 */
export async function ingestAll(
  store: Store,
  corpus: Corpus,
  { atOnce, print }: { readonly atOnce: number; readonly print: (line: string) => void },
): Promise<Span> {
  const stop = startClock();
  const startedAtMs = performance.now();
  let makingMs = 0;
  let line = 1;
  for (let first = 0; first < corpus.events; first += MADE_AHEAD * BATCH) {
    const beganMs = performance.now();
    const end = Math.min(first + MADE_AHEAD * BATCH, corpus.events);
    const batches: (readonly QueuedEnvelope[])[] = [];
    for (let at = first; at < end; at += BATCH)
      batches.push(envelopes(at, Math.min(BATCH, end - at), corpus));
    makingMs += performance.now() - beganMs;
    const rest = batches.values();
    await Promise.all(Array.from({ length: atOnce }, () => storeEach(store, rest)));
    if (end < (line * corpus.events) / LINES) continue;
    const seconds = (performance.now() - startedAtMs - makingMs) / 1000;
    print(`  ${end.toLocaleString('en')} events, ${Math.round(end / seconds).toLocaleString('en')}/s so far`);
    line += 1;
  }
  const { seconds, ownCpu, ...rest } = stop();
  return { ...rest, seconds: seconds - makingMs / 1000, ownCpu: ownCpu - makingMs / 1000 };
}

/** Ingests the rest, one after the other. */
async function storeEach(store: Store, batches: IterableIterator<readonly QueuedEnvelope[]>): Promise<void> {
  for (const batch of batches) {
    const settled = await store.take(packForStore(batch));
    if (settled.some(({ outcome }) => outcome !== 'delivered')) throw new Error('the store took not all');
  }
}

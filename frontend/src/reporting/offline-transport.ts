/**
 * The browser's half of "no error is lost": the SDK's transport with a keep behind it. What the tunnel cannot take
 * now (no network, 5xx, 429 for an error) is sent later, by this page or the next one of the origin. It must never
 * throw into the page, print, or keep it from closing.
 */
import { type BrowserClient, createTransport } from '@sentry/react';
import { Delivery } from './delivery.ts';
import { type Answer, EnvelopePost } from './envelope-post.ts';
import { newEventId } from './event-id.ts';
import { Pause } from './outbox/backoff.ts';
import { EnvelopeKeep } from './outbox/envelope-outbox.ts';
import { IndexedDbKeep } from './outbox/indexed-db-outbox.ts';
import { JournaledKeep } from './outbox/journaled-outbox.ts';
import { MemoryKeep } from './outbox/memory-outbox.ts';
import { KEEP_LIMITS, type KeptEnvelope, type KeptHead } from './outbox/queued-envelope.ts';
import { lifeOf, type PageLife } from './page-lifecycle.ts';
import { Drain } from './sender.ts';

/** A keep that can fail, with one behind it that cannot; itself it never does, so nothing reaches the page. */
export class SafeKeep extends EnvelopeKeep {
  readonly #first: EnvelopeKeep;
  readonly #spare: EnvelopeKeep;

  constructor(first: EnvelopeKeep, spare: EnvelopeKeep) {
    super();
    this.#first = first;
    this.#spare = spare;
  }

  async add(envelope: KeptEnvelope): Promise<void> {
    try {
      await this.#first.add(envelope);
    } catch {
      await this.#spare.add(envelope);
    }
  }

  async heads(): Promise<readonly KeptHead[]> {
    const spare = await this.#spare.heads();
    try {
      const first = await this.#first.heads();
      return [...first, ...spare];
    } catch {
      return spare;
    }
  }

  async read(head: KeptHead): Promise<Uint8Array<ArrayBuffer> | null> {
    const spare = await this.#spare.read(head);
    if (spare !== null) return spare;
    try {
      return await this.#first.read(head);
    } catch {
      return null;
    }
  }

  async remove(head: KeptHead): Promise<void> {
    await this.#spare.remove(head);
    try {
      await this.#first.remove(head);
    } catch {
      // It stays and is sent once more by a later page; the server knows it by its event id.
    }
  }
}

type MakeTransport = ConstructorParameters<typeof BrowserClient>[0]['transport'];
type Transport = ReturnType<MakeTransport>;
type Envelope = Parameters<Transport['send']>[0];
type Requested = Parameters<Parameters<typeof createTransport>[1]>[0];

/** Item types of which each is somebody's only trace: the same set as the server's store keeps. */
const ERROR_TYPES: ReadonlySet<string> = new Set(['event', 'feedback', 'user_report']);

function hasError([, items]: Envelope): boolean {
  return items.some(([{ type }]) => typeof type === 'string' && ERROR_TYPES.has(type));
}

/** What the SDK shall know of an answer; it reads status and limits, and drops by them. */
function forSdk(answer: Answer | null) {
  if (answer === null) return {};
  const { status, rateLimits, retryAfterMs } = answer;
  return {
    ...(status !== null && { statusCode: status }),
    headers: {
      'x-sentry-rate-limits': rateLimits,
      'retry-after': retryAfterMs === null ? null : String(retryAfterMs / 1_000),
    },
  };
}

/** The parts under the transport, for tests to replace. */
interface TransportParts {
  readonly keep: EnvelopeKeep;
  readonly fetch: typeof fetch;
  readonly life: PageLife;
  readonly random?: () => number;
}

/** IndexedDB, or memory where there is none or it refuses. */
function openKeep(page: Window & typeof globalThis, name: string): EnvelopeKeep {
  const memory = new MemoryKeep();
  try {
    return new JournaledKeep(new SafeKeep(new IndexedDbKeep(page.indexedDB, name), memory), page, name);
  } catch {
    return memory;
  }
}

function partsOf(page: Window & typeof globalThis, tunnel: string): TransportParts {
  // By tunnel: two applications on one origin must not post each other's envelopes where they are not allowed.
  const name = `errata:${tunnel}`;
  return {
    keep: openKeep(page, name),
    // Now, before the SDK wraps it to leave a breadcrumb for each request.
    fetch: page.fetch.bind(page),
    life: lifeOf(page, name),
  };
}

/** `Transport` of the SDK that loses no error to an outage. */
export function makeKeepingTransport(
  options: Parameters<MakeTransport>[0],
  { keep, fetch, life, random }: TransportParts = partsOf(window, options.url),
): Transport {
  const pause = new Pause(() => life.elapsedMs(), random);
  const post = new EnvelopePost(options.url, fetch, () => life.wallMs());
  const delivery = new Delivery(keep, post, pause);
  const drain = new Drain(keep, delivery, pause, life);
  const kept = ({ body }: Requested, isError: boolean): KeptEnvelope => {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
    return { id: newEventId(), isError, keptAtMs: life.wallMs(), bytes: bytes.length, body: bytes };
  };
  // Two of the SDK's transports, because each obeys the limits it is told by dropping: errors are told none.
  const errors = createTransport({ ...options, bufferSize: KEEP_LIMITS.maxCount }, async (request) => {
    await delivery.first(kept(request, true));
    drain.wake();
    return {};
  });
  const others = createTransport(options, async (request) => {
    const answer = await delivery.firstOfLesser(kept(request, false));
    if (answer === null) drain.wake();
    return forSdk(answer);
  });
  drain.start();
  return {
    send: (envelope) => (hasError(envelope) ? errors : others).send(envelope),
    flush: async (timeout) => {
      const flushed = await Promise.all([errors.flush(timeout), others.flush(timeout)]);
      return flushed.every(Boolean);
    },
  };
}

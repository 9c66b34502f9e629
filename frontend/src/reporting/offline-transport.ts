/**
 * The SDK's transport with an outbox behind it, so that the browser loses no error. Envelopes that the tunnel cannot
 * accept now (no network, 5xx, 429 for an error) are sent later, by this page or the next one of the origin. It must
 * never throw into the page, print, or delay its closing.
 */
import { type BrowserClient, createTransport } from '@sentry/react';
import { Delivery } from './delivery.ts';
import { type PostAnswer, EnvelopePost } from './envelope-post.ts';
import { newEventId } from './event-id.ts';
import { RetryDelay } from './outbox/retry-delay.ts';
import { EnvelopeOutbox } from './outbox/envelope-outbox.ts';
import { IndexedDbOutbox } from './outbox/indexed-db-outbox.ts';
import { JournaledOutbox } from './outbox/journaled-outbox.ts';
import { MemoryOutbox } from './outbox/memory-outbox.ts';
import { OUTBOX_LIMITS, type OutboxEnvelope, type OutboxHead } from './outbox/queued-envelope.ts';
import { lifecycleOf, type PageLifecycle } from './page-lifecycle.ts';
import { Sender } from './sender.ts';

/** Uses a second outbox when the first fails; it never rejects, so no error reaches the page. */
export class FallbackOutbox extends EnvelopeOutbox {
  readonly #first: EnvelopeOutbox;
  readonly #spare: EnvelopeOutbox;

  constructor(first: EnvelopeOutbox, spare: EnvelopeOutbox) {
    super();
    this.#first = first;
    this.#spare = spare;
  }

  async add(envelope: OutboxEnvelope): Promise<void> {
    try {
      await this.#first.add(envelope);
    } catch {
      await this.#spare.add(envelope);
    }
  }

  async heads(): Promise<readonly OutboxHead[]> {
    const spare = await this.#spare.heads();
    try {
      const first = await this.#first.heads();
      return [...first, ...spare];
    } catch {
      return spare;
    }
  }

  async read(head: OutboxHead): Promise<Uint8Array<ArrayBuffer> | null> {
    const spare = await this.#spare.read(head);
    if (spare !== null) return spare;
    try {
      return await this.#first.read(head);
    } catch {
      return null;
    }
  }

  async remove(head: OutboxHead): Promise<void> {
    await this.#spare.remove(head);
    try {
      await this.#first.remove(head);
    } catch {
      // The entry stays, and a later page sends it again; the server deduplicates it by its event ID.
    }
  }
}

type MakeTransport = ConstructorParameters<typeof BrowserClient>[0]['transport'];
type Transport = ReturnType<MakeTransport>;
type Envelope = Parameters<Transport['send']>[0];
type Requested = Parameters<Parameters<typeof createTransport>[1]>[0];

/** Item types that must not be lost: the same set as in the server's store. */
const ERROR_TYPES: ReadonlySet<string> = new Set(['event', 'feedback', 'user_report']);

function hasError([, items]: Envelope): boolean {
  return items.some(([{ type }]) => typeof type === 'string' && ERROR_TYPES.has(type));
}

/** Converts an answer for the SDK, which reads status and limits and drops items by them. */
function forSdk(answer: PostAnswer | null) {
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

/** Parts of the transport that tests replace. */
interface TransportParts {
  readonly outbox: EnvelopeOutbox;
  readonly fetch: typeof fetch;
  readonly lifecycle: PageLifecycle;
  readonly random?: () => number;
}

/** Opens IndexedDB, or memory where there is none or it fails. */
function openOutbox(page: Window & typeof globalThis, name: string): EnvelopeOutbox {
  const memory = new MemoryOutbox();
  try {
    return new JournaledOutbox(
      new FallbackOutbox(new IndexedDbOutbox(page.indexedDB, name), memory),
      page,
      name,
    );
  } catch {
    return memory;
  }
}

function partsOf(page: Window & typeof globalThis, tunnel: string): TransportParts {
  // By tunnel: two applications on one origin must not post each other's envelopes to a tunnel that does not allow
  // them.
  const name = `errata:${tunnel}`;
  return {
    outbox: openOutbox(page, name),
    // Bound now, before the SDK wraps it to record a breadcrumb for each request.
    fetch: page.fetch.bind(page),
    lifecycle: lifecycleOf(page, name),
  };
}

/** Creates a `Transport` of the SDK that loses no error during an outage. */
export function makeOfflineTransport(
  options: Parameters<MakeTransport>[0],
  { outbox, fetch, lifecycle, random }: TransportParts = partsOf(window, options.url),
): Transport {
  const retryDelay = new RetryDelay(() => lifecycle.elapsedMs(), random);
  const post = new EnvelopePost(options.url, fetch, () => lifecycle.wallMs());
  const delivery = new Delivery(outbox, post, retryDelay);
  const sender = new Sender(outbox, delivery, retryDelay, lifecycle);
  const kept = ({ body }: Requested, isError: boolean): OutboxEnvelope => {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
    return { id: newEventId(), isError, queuedAtMs: lifecycle.wallMs(), bytes: bytes.length, body: bytes };
  };
  // Two of the SDK's transports, because each drops items by the limits it gets: the one for errors gets no limits.
  const errors = createTransport({ ...options, bufferSize: OUTBOX_LIMITS.maxCount }, async (request) => {
    await delivery.deliverError(kept(request, true));
    sender.wake();
    return {};
  });
  const others = createTransport(options, async (request) => {
    const answer = await delivery.deliverOther(kept(request, false));
    if (answer === null) sender.wake();
    return forSdk(answer);
  });
  sender.start();
  return {
    send: (envelope) => (hasError(envelope) ? errors : others).send(envelope),
    flush: async (timeout) => {
      const flushed = await Promise.all([errors.flush(timeout), others.flush(timeout)]);
      return flushed.every(Boolean);
    },
  };
}

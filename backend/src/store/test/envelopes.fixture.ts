import { ownKey } from '../../digest/digest.ts';
import { NO_SENDER, type QueuedEnvelope } from '../../sink/queued-envelope.ts';

/** Envelopes as the spool gives them, with what a test wants to say of them. */

export const PROJECT = 'https://0123456789abcdef0123456789abcdef@errors.example/1';
/** When the envelopes of the fixtures arrive: 21 November 2026, 12:30 UTC. */
export const RECEIVED_MS = Date.UTC(2026, 10, 21, 12, 30);

/** Settlement of an envelope whose error was stored. */
export const DELIVERED = { outcome: 'delivered', digest: expect.stringMatching(/^[\da-f]{64}$/) };
/** How one settles that held no error. */
export const DELIVERED_NO_ERROR = { outcome: 'delivered', digest: null };

export type EventBody = Readonly<Record<string, unknown>>;

/** An event id whose end says which one it is: the first ten digits are the reference. */
export function eventIdOf(number: number): string {
  return number.toString(16).padStart(8, '0').repeat(4);
}

/** An item with the members of its header. */
export interface TestItem {
  readonly type: string;
  readonly attachment_type?: string;
  readonly payload: string | EventBody;
}

export function envelopeOf(items: readonly TestItem[], facts: Partial<QueuedEnvelope> = {}): QueuedEnvelope {
  const text = items.map(({ payload, ...header }) => {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return `${JSON.stringify({ ...header, length: Buffer.byteLength(body) })}\n${body}\n`;
  });
  return {
    id: 1,
    project: PROJECT,
    source: 'tunnel',
    class: 0,
    lifetime: 'error',
    receivedAtMs: RECEIVED_MS,
    eventId: null,
    hasMadeId: false,
    sender: NO_SENDER,
    header: Buffer.from('{}'),
    items: Buffer.from(text.join('')),
    gzipped: null,
    monotonicAtMs: null,
    pending: 3,
    ...facts,
  };
}

export function eventEnvelope(body: EventBody, facts: Partial<QueuedEnvelope> = {}): QueuedEnvelope {
  return envelopeOf([{ type: 'event', payload: body }], facts);
}

/** A failure of a Node server; each `file` is another fault. */
export function serverEvent(number: number, file = 'orders/load', changes: EventBody = {}): EventBody {
  return {
    event_id: eventIdOf(number),
    platform: 'node',
    timestamp: RECEIVED_MS / 1000,
    release: 'shop@1.0.0',
    environment: 'production',
    request: { url: 'https://shop.example/orders/4711?token=abc', method: 'GET' },
    user: { id: '7', email: 'ann@shop.example' },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: `order ${number} has no items`,
          stacktrace: {
            frames: [
              { filename: '/srv/shop/node_modules/express/lib/router.js', function: 'next', in_app: false },
              {
                filename: `/srv/shop/dist/${file}.js`,
                function: 'loadOrder',
                lineno: 7,
                colno: 3,
                in_app: true,
              },
            ],
          },
        },
      ],
    },
    ...changes,
  };
}

/** A failure of a page whose script is minified. */
export function browserEvent(number: number, changes: EventBody = {}): EventBody {
  return {
    event_id: eventIdOf(number),
    platform: 'javascript',
    sdk: { name: 'sentry.javascript.react' },
    timestamp: RECEIVED_MS / 1000,
    release: 'shop@1.0.0',
    environment: 'production',
    request: {
      url: 'https://shop.example/cart/99',
      headers: {
        'User-Agent':
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
      },
    },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'cart is undefined',
          stacktrace: {
            frames: [
              {
                filename: 'https://shop.example/assets/index-ab12CD34.js',
                function: 'r',
                lineno: 1,
                colno: 999,
              },
            ],
          },
        },
      ],
    },
    ...changes,
  };
}

/** No item of an envelope could be read. */
export const MALFORMED = {
  outcome: 'refused',
  reason: 'malformed',
  status: null,
  detail: 'no item of it can be read',
};
/** The database refuses an envelope, and no other. */
export const FAILED = { outcome: 'retry', reason: 'store_failed', retryAfterMs: null, scope: 'envelope' };
/** The database is away. */
export const UNREACHABLE = {
  outcome: 'retry',
  reason: 'store_unreachable',
  retryAfterMs: null,
  scope: 'sink',
};

/** A report of Errata itself with the digest that it has shown. */
export function ownReport(
  number: number,
  digest: string,
  key = ownKey(digest),
  project = PROJECT,
): QueuedEnvelope {
  const tags = { 'errata.digest': digest, 'errata.digest_key': key };
  return eventEnvelope(serverEvent(number, 'a/b', { tags }), { source: 'own', project });
}

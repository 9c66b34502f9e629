import { NO_SENDER, type QueuedEnvelope } from '../../backend/src/sink/queued-envelope.ts';

/**
 * A million errors as an application with 200,000 users has them in four weeks: half of them browsers', a few faults
 * very often and most now and then, a new release every day, an id in each message and path.
 */

export const DAYS = 28;
const DAY_MS = 24 * 60 * 60 * 1000;
const END_MS = Date.UTC(2026, 10, 21, 12, 30);
const START_MS = END_MS - DAYS * DAY_MS;
const PEOPLE = 200_000;
const PROJECT = 'https://0123456789abcdef0123456789abcdef@errors.example/1';
const LETTERS = 4;
const SERVERS = 12;
const BROWSERS = ['Chrome', 'Safari', 'Firefox', 'Edge'];

/** Stands in every issue's text, and in none. */
export const COMMON_WORDS = ['items', 'shop', 'order', 'load', 'checkout'];
export const ABSENT_WORDS = ['zeppelin', 'itemsorder', 'items no has', 'checkoutorder', '~~'];

export interface Corpus {
  readonly events: number;
  readonly issues: number;
}

/** Numbers that look random and are the same in every run, from 0 to below 1 (Lehmer, Park and Miller 1988). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A word of its own for each issue, in letters: digits would be taken out of a digest. */
export function wordOf(issue: number): string {
  let rest = issue;
  let word = '';
  for (let letter = 0; letter < LETTERS; letter += 1) {
    word += String.fromCodePoint(97 + (rest % 26));
    rest = Math.floor(rest / 26);
  }
  return `${word}ing`;
}

/** When event number `index` arrives. */
export function timeOf(index: number, { events }: Corpus): number {
  return START_MS + Math.floor((index * (END_MS - START_MS)) / events);
}

export function releaseOf(timeMs: number): string {
  return `shop@4.${Math.floor((timeMs - START_MS) / DAY_MS)}.0`;
}

export function personOf(random: number): string {
  return `reader${Math.floor(random * PEOPLE)}@shop.example`;
}

/** Trace of event number `index`; no event has that of a number below 0. */
export function traceOf(index: number): string {
  return (index < 0 ? 'f' : 'a') + Math.abs(index).toString(16).padStart(31, '0');
}

/** Envelopes of the events from `first` on, each of its own; every issue gets one now and then, some get many. */
export function envelopes(first: number, length: number, corpus: Corpus): readonly QueuedEnvelope[] {
  const random = numbers(first + 1);
  const every = Math.max(1, Math.floor(corpus.events / corpus.issues));
  return Array.from({ length }, (_, offset) => {
    const index = first + offset;
    const isTurn = index % every === 0;
    const issue = isTurn ? (index / every) % corpus.issues : Math.floor(corpus.issues * random() ** 3);
    return envelopeOf(index, issue, timeOf(index, corpus), random);
  });
}

function envelopeOf(index: number, issue: number, timeMs: number, random: () => number): QueuedEnvelope {
  const body = JSON.stringify(eventOf(index, issue, timeMs, random));
  return {
    id: index + 1,
    project: PROJECT,
    source: 'tunnel',
    class: 0,
    lifetime: 'error',
    receivedAtMs: timeMs,
    eventId: null,
    hasMadeId: false,
    sender: NO_SENDER,
    header: Buffer.from('{}'),
    items: Buffer.from(`{"type":"event","length":${Buffer.byteLength(body)}}\n${body}\n`),
    gzipped: null,
    monotonicAtMs: null,
    pending: 2,
  };
}

/** About 3 KiB: 14 frames, 7 breadcrumbs, a request, a user. */
function eventOf(index: number, issue: number, timeMs: number, random: () => number): unknown {
  const word = wordOf(issue);
  const isBrowser = issue % 2 === 0;
  const number = Math.floor(random() * 1e6);
  const person = personOf(random());
  return {
    event_id: eventIdOf(index, random),
    platform: isBrowser ? 'javascript' : 'node',
    sdk: { name: isBrowser ? 'sentry.javascript.react' : 'sentry.javascript.nestjs' },
    timestamp: timeMs / 1000,
    release: releaseOf(timeMs),
    environment: 'production',
    level: issue % 50 === 0 ? 'fatal' : 'error',
    server_name: `web-${index % SERVERS}`,
    request: { url: `https://shop.example/checkout/${word}/${number}?token=x`, method: 'GET' },
    user: { id: person.replace('@', '-'), email: person },
    tags: { page: 'checkout', kind: isBrowser ? 'browser' : 'server' },
    contexts: {
      trace: { trace_id: traceOf(index) },
      ...(isBrowser && { browser: { name: BROWSERS[number % BROWSERS.length], version: '18.2' } }),
    },
    breadcrumbs: Array.from({ length: 7 }, (_, step) => ({
      timestamp: timeMs / 1000 - 7 + step,
      category: 'fetch',
      data: { method: 'GET', url: `/api/cart/${number + step}`, status_code: 200 },
    })),
    exception: {
      values: [
        {
          type: 'TypeError',
          value: `order ${number} of ${word} has no items`,
          stacktrace: { frames: Array.from({ length: 14 }, (_, depth) => frameOf(depth, word, isBrowser)) },
        },
      ],
    },
  };
}

function frameOf(depth: number, word: string, isBrowser: boolean): unknown {
  const place = { lineno: 41 + depth, colno: 7 * depth + 7 };
  if (isBrowser)
    return { ...place, filename: 'https://shop.example/assets/index-BzprlZTx.js', function: `r${depth}` };
  const isOwn = depth > 9;
  const filename = isOwn
    ? `/srv/shop/dist/${word}/part-${String.fromCodePoint(97 + depth)}.js`
    : `/srv/shop/node_modules/express/lib/router/layer.js`;
  return { ...place, filename, function: isOwn ? `load${word}` : 'handleRequest', in_app: isOwn };
}

/** Ids do not rise: those of real events are random. */
function eventIdOf(index: number, random: () => number): string {
  const part = (): string =>
    Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  return part() + part() + part() + index.toString(16).padStart(8, '0');
}

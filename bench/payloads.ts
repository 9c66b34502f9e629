import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the loader sends to a tunnel. */
export type PayloadName = 'error' | 'transaction' | 'profile';
/** What a gateway sends: failures of so many services that each is recorded, or of one that is above its limit. */
export type PageName = 'recorded' | 'limited';

export const PAYLOAD_NAMES: readonly PayloadName[] = ['error', 'transaction', 'profile'];

/** As the tables call them. */
export const PAYLOAD_TITLES: Readonly<Record<PayloadName | PageName, string>> = {
  error: '3 KiB error',
  transaction: '3 KiB transaction',
  profile: '50 KiB profile',
  recorded: 'recorded page of a gateway',
  limited: 'page of a gateway above the limit of its service',
};

/** Stands where the loader puts the event id of each request; as long as an id, so that lengths stay true. */
const ID = 'EVENT-ID'.repeat(4);

/** Between the variants in the loader's file; JSON never holds it unescaped. */
const SEPARATOR = '\u001e';

/** The errors are of so many issues: a storm of one would spare the store most of its work, all new would be no storm. */
const ISSUES = 200;
/** With 2,000 recorded pages each they last for all loads of a round; a day has 200 services. */
const SERVICES = 100;

/** Letters, because a digest takes digits out of a message. */
function word(index: number): string {
  return String.fromCodePoint(97 + (index % 26), 97 + (Math.floor(index / 26) % 26));
}

/** Numbers that look random and are the same in every run, below `bound` (Lehmer, Park and Miller 1988). */
function numbers(): (bound: number) => number {
  let state = 20_261_121;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}

function hex(random: (bound: number) => number, length: number): string {
  return Array.from({ length }, () => random(16).toString(16)).join('');
}

function list<T>(length: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length }, (_, index) => make(index));
}

const COMMON = {
  platform: 'javascript',
  environment: 'production',
  release: 'shop@4.2.0',
  request: { url: 'https://shop.example/checkout', headers: { 'User-Agent': 'Mozilla/5.0' } },
};

/** One exception with a stack of 14 frames, as browsers send it. */
function errorOf(issue: number): unknown {
  const frames = list(14, (index) => ({
    filename: '/assets/checkout-BzprlZTx.js',
    function: `submitOrder${index}`,
    in_app: true,
    lineno: 41 + index,
    colno: 7 * index + 7,
  }));
  const breadcrumbs = list(7, (index) => ({
    timestamp: 1_795_000_000 + index,
    category: 'ui.click',
    message: `main > section.cart > form#checkout > button.step-${index}[type="submit"]`,
  }));
  const value = `Cannot read properties of undefined (reading 'total${word(issue)}')`;
  const mechanism = { type: 'onerror', handled: false };
  return {
    event_id: ID,
    timestamp: 1_795_000_000.123,
    level: 'error',
    ...COMMON,
    exception: { values: [{ type: 'TypeError', value, mechanism, stacktrace: { frames } }] },
    breadcrumbs,
  };
}

/** A page load with the spans of its resources. */
function transaction(): unknown {
  const random = numbers();
  const spans = list(9, (index) => ({
    trace_id: ID,
    span_id: hex(random, 16),
    op: 'resource.script',
    description: `/assets/part-${hex(random, 8)}.js`,
    start_timestamp: 1_795_000_000 + index / 10,
    timestamp: 1_795_000_000.05 + index / 10,
    data: { 'http.response_transfer_size': random(90_000) },
  }));
  const trace = { trace_id: ID, span_id: hex(random, 16), op: 'pageload', status: 'ok' };
  return {
    type: 'transaction',
    event_id: ID,
    transaction: '/checkout',
    transaction_info: { source: 'route' },
    start_timestamp: 1_795_000_000,
    timestamp: 1_795_000_001.5,
    ...COMMON,
    contexts: { trace },
    spans,
  };
}

/** A chunk of a continuous profile; its numbers differ, so that compressing it costs as much as a real one. */
function profile(): unknown {
  const random = numbers();
  const frames = list(200, () => ({
    function: `render${hex(random, 6)}`,
    abs_path: `/assets/part-${hex(random, 8)}.js`,
    lineno: random(4_000),
    colno: random(400),
  }));
  const stacks = list(150, () => list(8, () => random(frames.length)));
  const samples = list(430, (index) => ({
    thread_id: '0',
    stack_id: random(stacks.length),
    timestamp: 1_795_000_000 + index / 100 + random(1_000) / 1e6,
  }));
  return {
    version: '2',
    chunk_id: ID,
    profiler_id: ID,
    ...COMMON,
    profile: { frames, stacks, samples, thread_metadata: { 0: { name: 'main' } } },
  };
}

const TYPES: Readonly<Record<PayloadName, string>> = {
  error: 'event',
  transaction: 'transaction',
  profile: 'profile_chunk',
};

const BYTES: Readonly<Record<PayloadName, number>> = {
  error: 3 * 1_024,
  transaction: 3 * 1_024,
  profile: 50 * 1_024,
};

/** An envelope of exactly the size it is named for. @throws when its necessary parts are larger. */
function envelope(name: PayloadName, dsn: string, payload: unknown): string {
  const header = JSON.stringify({ event_id: ID, sent_at: '2026-11-21T12:00:00.000Z', dsn });
  const head = `${header}\n${JSON.stringify({ type: TYPES[name] })}\n${JSON.stringify(payload).slice(0, -1)}`;
  const tail = (filling: string): string => `,"extra":{"filling":"${filling}"}}`;
  const missing = BYTES[name] - head.length - tail('').length;
  if (missing < 0) throw new Error(`the ${name} is ${-missing} bytes too large`);
  return head + tail('x'.repeat(missing));
}

function envelopes(name: PayloadName, dsn: string): readonly string[] {
  if (name === 'error') return list(ISSUES, (issue) => envelope(name, dsn, errorOf(issue)));
  return [envelope(name, dsn, name === 'transaction' ? transaction() : profile())];
}

const BROWSER = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64) bench';

function tunnelRequest(body: string): string {
  const head = `Host: 127.0.0.1\r\nContent-Type: text/plain;charset=UTF-8\r\n${BROWSER}`;
  const origin = 'Origin: http://127.0.0.1\r\nSec-Fetch-Site: same-origin';
  return `POST /tunnel HTTP/1.1\r\n${head}\r\n${origin}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** What nginx sends with the lines of docs/gateway.md when a browser has asked for a page. */
function pageRequest(service: string): string {
  const lines = [
    'Host: shop.example',
    'X-Code: 502',
    'X-Format: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    `X-Original-URI: /cart/${ID}`,
    'X-Original-Method: GET',
    `X-Request-ID: ${ID}`,
    `X-Service-Name: ${service}`,
    'X-Errata-Upstream: 10.0.0.7:8080',
    BROWSER,
    'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'Accept-Encoding: gzip, deflate, br',
    'Accept-Language: en-GB,en;q=0.5',
    'Sec-Fetch-Dest: document',
    'Sec-Fetch-Mode: navigate',
    'Sec-Fetch-Site: none',
  ];
  return `GET /cart/${ID} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

function requests(name: PayloadName | PageName, dsn: string): readonly string[] {
  if (name === 'recorded') return list(SERVICES, (service) => pageRequest(`shop-${service}`));
  return name === 'limited' ? [pageRequest('shop')] : envelopes(name, dsn).map(tunnelRequest);
}

/** Writes the requests that the loader sends in turn, and returns its arguments. */
export function writePayload(
  name: PayloadName | PageName,
  dsn: string,
  directory: string,
): Readonly<Record<string, string>> {
  const path = join(directory, `payload-${name}`);
  writeFileSync(path, requests(name, dsn).join(SEPARATOR));
  return { PAYLOAD_FILE: path, PAYLOAD_ID: ID, PAYLOAD_SEPARATOR: SEPARATOR };
}

import { url } from '../running.ts';
import type { Random } from './random.ts';

/** The fields of a Sentry event that the seed sets. */
export interface SeedEvent {
  readonly event_id: string;
  readonly [member: string]: unknown;
}

export const RELEASES = ['shop@1.4.1', 'shop@1.4.2'] as const;
export type Release = (typeof RELEASES)[number];

/** Names with letters beyond ASCII, too. */
const PEOPLE = [
  'ann',
  'bob',
  'chen',
  'dora',
  'emil',
  'fatima',
  'große',
  'ines',
  'jūratė',
  'kim',
  'lev',
] as const;
const BROWSERS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:149.0) Gecko/20100101 Firefox/149.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
] as const;

function common(random: Random, release: Release) {
  const name = random.pick(PEOPLE);
  // Up to a day ago for the earlier release, in the last hours for the later.
  const ageHours = release === RELEASES[0] ? 6 + random.next() * 18 : random.next() * 5;
  return {
    event_id: random.hex(32),
    timestamp: Date.now() / 1_000 - ageHours * 3_600,
    release,
    environment: random.below(5) === 0 ? 'staging' : 'production',
    user: { id: String(name.length * 17), email: `${name}@shop.example` },
    contexts: { trace: { trace_id: random.hex(32), span_id: random.hex(16) } },
  };
}

/** Returns an event in the form of @sentry/node. */
export function serverEvent(random: Random, release: Release, path: string): SeedEvent {
  const event = common(random, release);
  const at = event.timestamp;
  return {
    ...event,
    platform: 'node',
    level: 'error',
    server_name: `web-7d9-${random.pick(['x2', 'k8', 'p4'])}`,
    sdk: { name: 'sentry.javascript.node', version: '11.0.0' },
    request: { method: random.pick(['GET', 'POST']), url: `https://shop.example${path}?token=secret` },
    breadcrumbs: [
      { timestamp: at - 2, category: 'http', message: `GET ${path}`, level: 'info' },
      { timestamp: at - 1, category: 'query', message: 'select * from cart where id = $1', level: 'info' },
    ],
    tags: { region: random.pick(['eu-west', 'us-east']), tenant: random.pick(['acme', 'globex']) },
    contexts: { ...event.contexts, runtime: { name: 'node', version: 'v26.10.0' } },
  };
}

/** Returns an event in the form of the browser SDK, from a page of the running Errata. @param atS time, Unix seconds. */
export function browserEvent(random: Random, release: Release, path: string, atS?: number): SeedEvent {
  const event = common(random, release);
  const timestamp = atS ?? event.timestamp;
  return {
    ...event,
    timestamp,
    platform: 'javascript',
    level: 'error',
    sdk: { name: 'sentry.javascript.react', version: '11.0.0' },
    request: { url: url + path, headers: { 'User-Agent': random.pick(BROWSERS) } },
    breadcrumbs: [
      { timestamp: timestamp - 4, category: 'navigation', data: { from: '/', to: path } },
      { timestamp: timestamp - 1, category: 'ui.click', message: 'button.pay > span' },
    ],
    tags: { plan: random.pick(['free', 'team']) },
  };
}

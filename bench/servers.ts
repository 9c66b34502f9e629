import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * When a server answers: once the envelope is on disk; once the upstream has answered, and with the upstream's status
 * or its own; or as soon as it has read the body.
 */
export type Promised = 'durable' | 'upstream' | 'nothing';

/** One of the servers under comparison; each takes `PORT` and `SENTRY_DSN` from its environment, listens on loopback. */
export interface ServerKind {
  readonly id: string;
  readonly title: string;
  readonly command: readonly string[];
  readonly promised: Promised;
}

/** For the tables' reader. */
export const PROMISES: Readonly<Record<Promised, string>> = {
  durable: 'on disk, fsynced',
  upstream: 'upstream has answered',
  nothing: 'body was read',
};

const ROOT = join(import.meta.dirname, '..');

function peer(name: string): readonly string[] {
  return ['node', join(import.meta.dirname, 'peers', name)];
}

export const SERVERS: readonly ServerKind[] = [
  {
    id: 'errata',
    title: 'Errata',
    command: ['node', '--max-semi-space-size=8', join(ROOT, 'backend', 'dist', 'main.js')],
    promised: 'durable',
  },
  {
    id: 'managed',
    title: '@sentry/core managed tunnel',
    command: peer('managed-tunnel.ts'),
    promised: 'upstream',
  },
  {
    id: 'express',
    title: 'Express + fetch, as documented',
    command: peer('express-tunnel.ts'),
    promised: 'upstream',
  },
  {
    id: 'undici',
    title: 'node:http + undici pass-through',
    command: peer('undici-pass-through.ts'),
    promised: 'upstream',
  },
  {
    id: 'bare',
    title: 'bare node:http sink',
    command: peer('bare-http.ts'),
    promised: 'nothing',
  },
];

/**
 * What Errata is told beside its defaults, so that a minute of load can be seen through to its end: room for what the
 * intake takes in while nothing can be forwarded (5 s at 18,000/s of 3 KiB fill the default spool), an upstream that
 * is back found at once, and a backlog that is not paced.
 */
const ERRATA_SETTINGS: Readonly<Record<string, string>> = {
  ERRATA_SPOOL_MAX_BYTES: '8GiB',
  ERRATA_BACKOFF_MAX: '1s',
  ERRATA_RELAY_MAX_RATE: '1000000',
};

/** Those of the settings that the Errata at hand has: it refuses to start with others, and older ones are measured too. */
export function errataSettings(): Readonly<Record<string, string>> {
  const documented = readFileSync(join(ROOT, 'docs', 'configuration.md'), 'utf8');
  const known = Object.entries(ERRATA_SETTINGS).filter(([name]) => documented.includes(`| \`${name}\` |`));
  return Object.fromEntries(known);
}

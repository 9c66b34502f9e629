import { join } from 'node:path';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../docker/node-flags.ts';

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
  /** Beside what all get. */
  readonly environment?: Readonly<Record<string, string>>;
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

/**
 * What Errata is told beside its defaults, so that a minute of load can be seen through to its end: room for what the
 * intake takes in while nothing can be forwarded (5 s at 18,000/s of 3 KiB fill the default spool), an upstream that
 * is back found at once, and a backlog that is not paced.
 */
const ERRATA_SETTINGS = {
  ERRATA_SPOOL_MAX_BYTES: '8GiB',
  ERRATA_BACKOFF_MAX: '1s',
  ERRATA_RELAY_MAX_RATE: '1000000',
};

export const SERVERS: readonly ServerKind[] = [
  {
    id: 'errata',
    title: 'Errata',
    command: ['node', ...NODE_FLAGS, join(ROOT, 'backend', 'dist', 'main.js')],
    promised: 'durable',
    environment: { ...NODE_ENVIRONMENT, ...ERRATA_SETTINGS },
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
    id: 'nginx',
    title: 'nginx proxy',
    command: [join(import.meta.dirname, 'peers', 'nginx-proxy.sh')],
    promised: 'upstream',
  },
  {
    id: 'bare',
    title: 'bare node:http sink',
    command: peer('bare-http.ts'),
    promised: 'nothing',
  },
];

import { join } from 'node:path';

/** One of the servers under comparison; each takes `PORT` and `SENTRY_DSN` from its environment and listens on loopback. */
export interface ServerKind {
  readonly id: string;
  readonly title: string;
  readonly command: readonly string[];
  /** What its 200 means, for the table's reader. */
  readonly promise: string;
  /** It answers before it has forwarded: its backlog is waited for and counted. */
  readonly isDurable: boolean;
}

const ROOT = join(import.meta.dirname, '..');

function peer(name: string): readonly string[] {
  return ['node', join(import.meta.dirname, 'peers', name)];
}

export const SERVERS: readonly ServerKind[] = [
  {
    id: 'errata',
    title: 'Errata',
    command: ['node', join(ROOT, 'backend', 'dist', 'main.js')],
    promise: 'on disk, fsynced',
    isDurable: true,
  },
  {
    id: 'managed',
    title: '@sentry/core managed tunnel',
    command: peer('managed-tunnel.ts'),
    promise: 'upstream has answered',
    isDurable: false,
  },
  {
    id: 'express',
    title: 'Express + fetch, as documented',
    command: peer('express-tunnel.ts'),
    promise: 'upstream has answered',
    isDurable: false,
  },
  {
    id: 'bare',
    title: 'bare node:http sink',
    command: peer('bare-http.ts'),
    promise: 'body was read',
    isDurable: false,
  },
];

import { z } from 'zod';
import {
  bytes,
  count,
  dsn,
  durationMs,
  listOf,
  network,
  onOff,
  port,
  postgresUrl,
  secondsAsMs,
  urlPath,
} from './value-types.ts';

/** One setting of the environment: its name, how its text is read, what holds without it, and what it means. */
export interface Setting<T> {
  readonly name: string;
  readonly type: z.ZodType<T, string>;
  /** Text that stands for an absent variable; null: the setting is then `null`. */
  readonly default: string | null;
  readonly meaning: string;
  /** Also read from the file `<NAME>_FILE`; its value is never printed. */
  readonly isSecret: boolean;
}

type Value<T, D extends string | null> = D extends null ? T | null : T;

function setting<T, D extends string | null>(
  name: string,
  type: z.ZodType<T, string>,
  fallback: D,
  meaning: string,
): Setting<Value<T, D>> {
  return { name, type, default: fallback, meaning, isSecret: false };
}

function secret<T>(name: string, type: z.ZodType<T, string>, meaning: string): Setting<T | null> {
  return { ...setting(name, type, null, meaning), isSecret: true };
}

const text = z.string().min(1, 'expected some text');

/**
 * Every setting there is, in the order of docs/configuration.md, which is made from this list.
 *
 * Limits carry their reason in `meaning`: a number nobody can explain is a number nobody dares to change.
 */
export const SETTINGS = {
  port: setting('PORT', port, '3000', 'Port of the application.'),
  host: setting('HOST', text, '127.0.0.1', 'Address both listeners bind to; the image sets 0.0.0.0.'),
  managementPort: setting(
    'MANAGEMENT_PORT',
    port,
    '9464',
    'Port of /livez, /readyz, /startupz and /metrics, on a listener of its own, so that a gateway never exposes them.',
  ),
  sentryDsn: secret(
    'SENTRY_DSN',
    dsn,
    'Upstream service and first allowed DSN. Without it Errata makes a project of its own and keeps errors itself.',
  ),
  tunnelDsns: setting(
    'ERRATA_TUNNEL_DSNS',
    listOf(dsn),
    '',
    'Further allowed DSNs, comma-separated; each is its own upstream.',
  ),
  tunnelPath: setting(
    'ERRATA_TUNNEL_PATH',
    urlPath,
    '/tunnel',
    'Path that takes envelopes from the browser.',
  ),
  release: setting(
    'SENTRY_RELEASE',
    text,
    null,
    "Release of the application; without it the build's version.",
  ),
  environment: setting('SENTRY_ENVIRONMENT', text, 'production', 'Environment of the application.'),
  dataDir: setting(
    'ERRATA_DATA_DIR',
    text,
    './data',
    'Directory of spool.db and store.db; one process each.',
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    postgresUrl,
    'PostgreSQL that keeps the store for several replicas. Without it the store is SQLite in the data directory.',
  ),
  spoolMaxBytes: setting(
    'ERRATA_SPOOL_MAX_BYTES',
    bytes,
    '512MiB',
    'Most the spool may take on disk. Keep it under the size of the volume: a full disk stops the spool, this cap does so in an orderly way.',
  ),
  spoolMaxAgeMs: setting(
    'ERRATA_SPOOL_MAX_AGE',
    durationMs,
    '7d',
    'How long an error waits for its upstream. After about a week services re-time or refuse events.',
  ),
  retentionDays: setting('ERRATA_RETENTION_DAYS', count, '30', 'Days the store keeps events; counters stay.'),
  storeMaxBytes: setting('ERRATA_STORE_MAX_BYTES', bytes, '5GiB', 'Most the stored events may take.'),
  envelopeMaxBytes: setting(
    'ERRATA_ENVELOPE_MAX_BYTES',
    bytes,
    '20MiB',
    "Largest envelope, decoded. The SDK's replay buffer ends at 20 MB; more is an attack or a mistake.",
  ),
  bodyTimeoutMs: setting(
    'ERRATA_BODY_TIMEOUT',
    durationMs,
    '30s',
    'How long a request may take to arrive; slower ones hold memory for nothing.',
  ),
  headersTimeoutMs: setting(
    'ERRATA_HEADERS_TIMEOUT',
    durationMs,
    '10s',
    'How long the head of a request may take; cuts connections that drip.',
  ),
  keepAliveTimeoutMs: setting(
    'ERRATA_KEEP_ALIVE_TIMEOUT',
    durationMs,
    '61s',
    'Idle time of a kept connection; above the 60 s of common load balancers, which would else reuse a closed one.',
  ),
  commitTimeoutMs: setting(
    'ERRATA_COMMIT_TIMEOUT',
    durationMs,
    '2s',
    'How long an envelope may wait for its commit before the sender is told 503.',
  ),
  upstreamConnections: setting(
    'ERRATA_UPSTREAM_CONNECTIONS',
    count,
    '8',
    'Connections to one upstream, each with one request at a time.',
  ),
  upstreamConnectTimeoutMs: setting(
    'ERRATA_UPSTREAM_CONNECT_TIMEOUT',
    durationMs,
    '3s',
    'How long connecting to an upstream may take.',
  ),
  upstreamHeadersTimeoutMs: setting(
    'ERRATA_UPSTREAM_HEADERS_TIMEOUT',
    durationMs,
    '10s',
    'How long an upstream may take to begin its answer.',
  ),
  upstreamTimeoutMs: setting(
    'ERRATA_UPSTREAM_TIMEOUT',
    durationMs,
    '30s',
    'How long one delivery may take as a whole.',
  ),
  backoffMinMs: setting(
    'ERRATA_BACKOFF_MIN',
    durationMs,
    '500ms',
    'First pause after a failed delivery; pauses double, each drawn at random from zero up to its length (full jitter).',
  ),
  backoffMaxMs: setting(
    'ERRATA_BACKOFF_MAX',
    durationMs,
    '60s',
    'Longest pause: an upstream that is back is used within a minute.',
  ),
  clientIp: setting(
    'ERRATA_CLIENT_IP',
    z.enum(['full', 'truncated', 'none'], 'expected full, truncated or none'),
    'full',
    "What of the sender's address is kept and forwarded; truncated: the /24 or /48 it is in.",
  ),
  shutdownDelayMs: setting(
    'ERRATA_SHUTDOWN_DELAY',
    secondsAsMs,
    '0',
    'Seconds between not ready and not accepting, for platforms without a preStop hook.',
  ),
  drainTimeoutMs: setting(
    'ERRATA_DRAIN_TIMEOUT',
    durationMs,
    '10s',
    'How long requests and deliveries in flight may take to end once the process was told to stop; what is left stays on disk.',
  ),
  trustProxy: setting(
    'ERRATA_TRUST_PROXY',
    listOf(network),
    '',
    'Networks of the proxies in front, comma-separated; only their X-Forwarded-For and X-Forwarded-Proto are believed.',
  ),
  consoleToken: secret(
    'ERRATA_CONSOLE_TOKEN',
    z.string().min(16, 'expected at least 16 characters: it is the key to every stored error'),
    'Token that opens the console. Without it the console is closed.',
  ),
  consoleLink: setting(
    'ERRATA_CONSOLE_LINK',
    onOff,
    'off',
    'Print the addresses and a one-time sign-in link to standard error at start, for a person at a terminal (make start).',
  ),
  sessionIdleMs: setting(
    'ERRATA_SESSION_IDLE',
    durationMs,
    '12h',
    'A console session ends when it was not used for this long: one working day.',
  ),
  sessionMaxMs: setting(
    'ERRATA_SESSION_MAX',
    durationMs,
    '7d',
    'A console session ends after this long in any case.',
  ),
  clientDir: setting(
    'ERRATA_CLIENT_DIR',
    text,
    null,
    'Any built single-page application to serve instead of the built-in client.',
  ),
  demo: setting(
    'ERRATA_DEMO',
    onOff,
    'off',
    "The shell home's three buttons and the demo routes behind them.",
  ),
  logLevel: setting(
    'LOG_LEVEL',
    z.enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'expected fatal, error, warn, info, debug, trace or silent',
    ),
    'info',
    'Least severe log record that is written; JSON lines on standard output.',
  ),
} as const;

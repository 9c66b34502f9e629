import { z } from 'zod';
import { ACCESS_SETTINGS } from './access-settings.ts';
import { RELAY_SETTINGS } from './relay-settings.ts';
import { secret, setting } from './setting.ts';
import { TUNNEL_SETTINGS } from './tunnel-settings.ts';
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
import { WEBHOOK_SETTINGS } from './webhook-settings.ts';

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
  ...RELAY_SETTINGS,
  retentionDays: setting(
    'ERRATA_RETENTION_DAYS',
    count,
    '30',
    'Days the store keeps events and feedback; counters stay.',
  ),
  storeMaxBytes: setting(
    'ERRATA_STORE_MAX_BYTES',
    bytes,
    '5GiB',
    'Most events, issues and feedback may take in the store: issues without events a quarter, feedback an eighth; the oldest go first.',
  ),
  sourceMapsMaxBytes: setting(
    'ERRATA_SOURCE_MAPS_MAX_BYTES',
    bytes,
    '256MiB',
    'Most the source maps of this and earlier clients may take in the store, packed; those unused for longest go first. 1 MB of minified scripts takes about 1.6 MB, and what did not change between two builds is kept once.',
  ),
  envelopeMaxBytes: setting(
    'ERRATA_ENVELOPE_MAX_BYTES',
    bytes,
    '20MiB',
    "Largest envelope, decoded. The SDK's replay buffer ends at 20 MB; more is an attack or a mistake.",
  ),
  ...TUNNEL_SETTINGS,
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
  scrub: setting(
    'ERRATA_SCRUB',
    z.enum(['store', 'all'], 'expected store or all'),
    'store',
    "Which copies secrets are taken out of. store: Errata's own; upstreams get the bytes as they came. all: also those of upstreams. Every JSON item is then written anew, cut where it is very deep or long, and what is no JSON where it should be becomes a dead letter. Attachments, replay recordings and profiles are passed on as they are: switch them off in the SDK where they may hold secrets.",
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
    'Networks of the proxies in front, comma-separated; only their X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host are believed.',
  ),
  ...ACCESS_SETTINGS,
  ...WEBHOOK_SETTINGS,
  clientDir: setting(
    'ERRATA_CLIENT_DIR',
    text,
    null,
    'Any built single-page application to serve instead of the built-in client; the pages of the console stay.',
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

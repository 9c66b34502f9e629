import { z } from 'zod';
import { CLIENT_SETTINGS } from './client-settings.ts';
import { CONSOLE_SETTINGS } from './console-settings.ts';
import { DELIVERY_SETTINGS } from './delivery-settings.ts';
import {
  basePath,
  bytes,
  count,
  delayMs,
  dsn,
  durationMs,
  listOf,
  network,
  onOff,
  ordinal,
  port,
  portOrOff,
  postgresUrl,
  secret,
  setting,
  someText,
} from './value-types.ts';

/**
 * All settings, in the order of docs/configuration.md, which is generated from this list.
 *
 * A limit becomes a setting only when a document, a test and a user who would change it exist; every other limit is a
 * constant beside its use.
 */
export const SETTINGS = {
  port: setting('PORT', port, '3000', 'Port of the application.'),
  host: setting('HOST', someText, '127.0.0.1', 'Address that all listeners bind to; the image sets 0.0.0.0.'),
  managementPort: setting(
    'MANAGEMENT_PORT',
    portOrOff,
    '9464',
    'Port of /livez, /readyz, /startupz and /metrics, or off. In another Nest application the default is off. They have a listener of their own, so that a gateway in front of the application does not expose them. It binds to HOST, too: with 0.0.0.0 the network reaches it without sign-in.',
  ),
  gatewayPort: setting(
    'ERRATA_GATEWAY_PORT',
    portOrOff,
    'off',
    'Port on which gateways ask for the error pages of other servers, or off. They name the failed request in headers (docs/gateway.md); only those in ERRATA_TRUST_PROXY and on loopback are believed. No client may reach it. It has no effect in another Nest application.',
  ),
  sentryDsn: secret(
    'SENTRY_DSN',
    dsn,
    'Upstream service and first allowed DSN. Without it Errata creates a project of its own and stores errors locally.',
  ),
  tunnelDsns: setting(
    'ERRATA_TUNNEL_DSNS',
    listOf(dsn),
    '',
    'Further allowed DSNs, comma-separated; each is an upstream of its own.',
  ),
  release: setting(
    'SENTRY_RELEASE',
    someText,
    null,
    "Release of the application. Without it the version of Errata's build; the pages of ERRATA_CLIENT_DIR then name none.",
  ),
  environment: setting('SENTRY_ENVIRONMENT', someText, 'production', 'Environment of the application.'),
  dataDir: setting(
    'ERRATA_DATA_DIR',
    someText,
    './data',
    'Directory of spool.db and store.db, on a local disk or block storage, not on NFS or SMB. Only one process may use it.',
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    postgresUrl,
    'PostgreSQL database of the store, shared by several replicas. Without it the store is SQLite in the data directory.',
  ),
  replica: setting(
    'ERRATA_REPLICA',
    ordinal,
    '0',
    'Number of this replica: 0, 1, 2 …, for example the ordinal of its pod. Above 0 the start ends without DATABASE_URL, because each replica would have a store of its own.',
  ),
  basePath: setting(
    'ERRATA_BASE_PATH',
    basePath,
    '',
    'Path below which everything is served, such as /errata: client, tunnel, /api, console and /reports. Every other path is a 404. For a proxy that passes this path of an existing host on unchanged.',
  ),
  ...DELIVERY_SETTINGS,
  retentionDays: setting(
    'ERRATA_RETENTION_DAYS',
    count,
    '30',
    'Days for which events and feedback are stored. Counters stay.',
  ),
  storeMaxBytes: setting(
    'ERRATA_STORE_MAX_BYTES',
    bytes,
    '5GiB',
    'Maximum size of events, issues and feedback in the store: at most a quarter each for issues without events and for the releases, users and paths that a search finds, at most an eighth for feedback. First events of a flooding sender are deleted, then the oldest. Without PostgreSQL the file has up to twice this size, beside a log of 64 MiB, and a small volume lowers it.',
  ),
  sourceMapsMaxBytes: setting(
    'ERRATA_SOURCE_MAPS_MAX_BYTES',
    bytes,
    '256MiB',
    'Maximum size of the source maps of this and earlier clients in the store, compressed. The least recently used are deleted first. 1 MB of minified scripts needs about 1.6 MB; a source map that two builds share is stored once. The files of these clients take at most as much again (docs/operations.md).',
  ),
  shutdownDelayMs: setting(
    'ERRATA_SHUTDOWN_DELAY',
    delayMs,
    '0s',
    'Time between not ready and not accepting, for platforms without a preStop hook. A number without a unit is in seconds.',
  ),
  drainTimeoutMs: setting(
    'ERRATA_DRAIN_TIMEOUT',
    durationMs,
    '10s',
    'Time for requests and deliveries in flight to end after a stop signal, after the time of the command drain, and when a Nest application with Errata closes. Undelivered envelopes stay on disk.',
  ),
  trustProxy: setting(
    'ERRATA_TRUST_PROXY',
    listOf(network),
    '',
    'Networks of the proxies in front of Errata, on loopback too, comma-separated. X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host count only when a proxy in these networks sends them. So do failures on ERRATA_GATEWAY_PORT.',
  ),
  ...CONSOLE_SETTINGS,
  ...CLIENT_SETTINGS,
  demo: setting(
    'ERRATA_DEMO',
    onOff,
    'off',
    'Shows three buttons on the home page that cause errors, and enables the demo routes behind them.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    z.enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'expected fatal, error, warn, info, debug, trace or silent',
    ),
    'info',
    'Lowest severity that is logged, as JSON lines on standard output. 8 MiB wait for a reader, further lines are dropped and counted (`errata_log_lines_dropped_total`).',
  ),
} as const;

import { setting } from './setting.ts';
import { bytes, count, durationMs } from './value-types.ts';

/** What the spool keeps and for how long, and how it is brought on to the upstreams; see settings.ts. */
export const RELAY_SETTINGS = {
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
  checkInMaxAgeMs: setting(
    'ERRATA_CHECK_IN_MAX_AGE',
    durationMs,
    '1h',
    'How long a check-in waits: a monitor that hears of it later has long raised its alarm.',
  ),
  otherMaxAgeMs: setting(
    'ERRATA_OTHER_MAX_AGE',
    durationMs,
    '24h',
    'How long everything else waits: upstreams refuse or re-time sessions, spans and logs that are older.',
  ),
  deadLetterMaxBytes: setting(
    'ERRATA_DEAD_LETTER_MAX_BYTES',
    bytes,
    '64MiB',
    'Most the dead letters may take beside the spool; the oldest go first.',
  ),
  deadLetterMaxCount: setting(
    'ERRATA_DEAD_LETTER_MAX_COUNT',
    count,
    '1000',
    'Most dead letters; more than anybody looks through.',
  ),
  deadLetterMaxAgeMs: setting(
    'ERRATA_DEAD_LETTER_MAX_AGE',
    durationMs,
    '14d',
    'How long a dead letter is kept: two weeks cover an absence.',
  ),
  dedupMaxKeys: setting(
    'ERRATA_DEDUP_KEYS',
    count,
    '100000',
    'Envelopes remembered to know a repeat; about 20 MiB of memory and 6 MiB of disk at the default.',
  ),
  dedupMaxAgeMs: setting(
    'ERRATA_DEDUP_AGE',
    durationMs,
    '24h',
    'How long an envelope is remembered; senders that kept one offline send it again within a day.',
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
    '64',
    'Connections to one upstream, each with one request at a time; also most envelopes it may get twice when the process is killed.',
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
  relayMaxRate: setting(
    'ERRATA_RELAY_MAX_RATE',
    count,
    '200',
    'Envelopes a second to one upstream of what an outage left behind; what comes now is not held back by it.',
  ),
  outageAfterMs: setting(
    'ERRATA_OUTAGE_AFTER',
    durationMs,
    '10s',
    'An upstream that was down this long gets its backlog paced; less leaves nothing worth pacing.',
  ),
  pauseProbeMs: setting(
    'ERRATA_PAUSE_PROBE',
    durationMs,
    '5m',
    'How often a DSN that its upstream refuses (401, 403, 404 five times in a row) is tried again.',
  ),
  clientReportMs: setting(
    'ERRATA_CLIENT_REPORT_INTERVAL',
    durationMs,
    '60s',
    'How often upstreams are told what was let go of here.',
  ),
} as const;

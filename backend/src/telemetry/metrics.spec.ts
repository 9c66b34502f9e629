import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConsoleServer } from '../console/console-server.fixture.ts';
import { countBy, Metrics, startSeries } from './metrics.ts';

/** Returns the lines of a metric, without its name: `{fault="lost"} 0`. */
async function linesOf({ registry }: Metrics, name: string): Promise<readonly string[]> {
  const lines = (await registry.metrics()).split('\n');
  return lines.filter((line) => line.startsWith(`${name}{`)).map((line) => line.slice(name.length));
}

describe('the Prometheus client', () => {
  it('is the only one installed: under its old name it has another registry, which is not scraped', () => {
    const lock = join(import.meta.dirname, '..', '..', '..', 'package-lock.json');

    const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { readonly packages: object };

    const clients = Object.keys(packages).filter((path) =>
      /\/(prom-client|@prometheus-io\/client)$/.test(path),
    );
    expect(clients).toEqual(['node_modules/@prometheus-io/client']);
  });
});

describe('countBy', () => {
  it('starts the series of each value at 0, and counts', async () => {
    const metrics = new Metrics();

    const count = countBy(metrics.spoolEvents, ['lost', 'corrupt', 'write']);
    count('corrupt');
    count('write', 3);

    expect(await linesOf(metrics, 'errata_spool_faults_total')).toEqual([
      '{fault="lost"} 0',
      '{fault="corrupt"} 1',
      '{fault="write"} 3',
    ]);
  });
});

describe('startSeries', () => {
  it('keeps the count of a series that has started before', async () => {
    const metrics = new Metrics();
    startSeries(metrics.errors, 'request').inc();

    startSeries(metrics.errors, 'request');

    expect(await linesOf(metrics, 'errata_errors_total')).toEqual(['{kind="request"} 1']);
  });
});

describe('a gauge', () => {
  const options = { name: 'queue', help: 'Queue', labels: ['class'] };

  it('is 0 for known labels that a reading leaves out', async () => {
    const metrics = new Metrics();
    const known = [{ class: 'high' }, { class: 'low' }];
    metrics.gauge({ ...options, known }, () => Promise.resolve([{ labels: { class: 'low' }, value: 7 }]));

    expect(await linesOf(metrics, 'queue')).toEqual(['{class="high"} 0', '{class="low"} 7']);
  });

  it('is left out while it cannot be read, so that it is not mistaken for 0', async () => {
    const metrics = new Metrics();
    const read = () => Promise.reject(new Error('the thread is down'));
    metrics.gauge({ ...options, known: [{ class: 'high' }] }, read);
    metrics.gauge({ name: 'fill', help: 'Fill', labels: [] }, read);

    const lines = (await metrics.registry.metrics()).split('\n');

    expect(lines.filter((line) => /^(queue|fill)\b/.test(line))).toEqual([]);
  });
});

/** Returns a label with each of some values, as the text of the metrics has them. */
function each(label: string, values: string): readonly string[] {
  return values.split(' ').map((value) => `${label}="${value}"`);
}

const SINKS = ['sink="upstream 127.0.0.1:9/42 01234567"', 'sink="store"'];
const CLASSES = each('class', 'critical high medium low lowest');
const REASONS = each('reason', 'queue_overflow cache_overflow send_error ratelimit_backoff backpressure');
const CATEGORIES = each(
  'category',
  'error feedback security attachment session monitor transaction span log_item trace_metric metric_bucket profile profile_chunk replay',
);

describe('the metrics of a new process', () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await ConsoleServer.start({
      SENTRY_DSN: 'http://0123456789abcdef@127.0.0.1:9/42',
      ERRATA_ALERTS: 'http://127.0.0.1:9/ private=on',
    });
  });
  afterAll(() => server.close());

  it.each([
    [
      'errata_tunnel_answers_total',
      each(
        'outcome',
        'accepted duplicate empty no_upstream malformed not_allowed cross_site method too_large coding rate_limited timeout aborted unavailable',
      ),
    ],
    ['errata_spool_faults_total', each('fault', 'lost corrupt thread_death write')],
    [
      'errata_alerts_total',
      [
        ...each('target="127.0.0.1:9",outcome', 'accepted failed dropped'),
        'target="removed",outcome="dropped"',
      ],
    ],
    [
      'errata_relay_deliveries_total',
      SINKS.flatMap((sink) => [
        `${sink},outcome="delivered",reason=""`,
        `${sink},outcome="dropped",reason="ratelimit_backoff"`,
        `${sink},outcome="held",reason="ratelimit"`,
      ]),
    ],
    ['errata_sign_in_total', each('outcome', 'accepted wrong limited no_access failed')],
    ['errata_errors_total', each('kind', 'request call reported uncaught_exception unhandled_rejection')],
    [
      'errata_spool_envelopes',
      each('fate', 'accepted delivered queued dead_lettered expired dropped erased missing'),
    ],
    [
      'errata_spool_ledger',
      [
        'fate="accepted",reason=""',
        'fate="accepted",reason="redriven"',
        'fate="delivered",reason=""',
        'fate="dead_lettered",reason="send_error"',
        'fate="dead_lettered",reason="unreadable"',
        'fate="dead_lettered",reason="unstorable"',
        'fate="expired",reason="cache_overflow"',
        'fate="dropped",reason="queue_overflow"',
        'fate="dropped",reason="send_error"',
        'fate="dropped",reason="ratelimit_backoff"',
        'fate="dropped",reason="no_upstream"',
        'fate="dropped",reason="upstream_not_in_settings"',
        'fate="erased",reason=""',
      ],
    ],
    [
      'errata_dropped_items',
      REASONS.flatMap((reason) => CATEGORIES.map((category) => `${reason},${category}`)),
    ],
    ['errata_spool_queued', CLASSES],
    ['errata_spool_bytes', CLASSES],
    ['errata_spool_oldest_seconds', CLASSES],
    ['errata_relay_failing', SINKS],
    ['errata_relay_paused', SINKS],
  ])('have each series of %s at 0', async (name, labels) => {
    const lines = await linesOf(server.parts.options.metrics, name);

    expect(lines).toEqual(labels.map((label) => `{${label}} 0`));
  });

  it.each(['errata_store_faults_total', 'errata_store_evicting_early'])('have %s at 0', async (name) => {
    expect(await server.parts.options.metrics.registry.metrics()).toContain(`\n${name} 0\n`);
  });
});

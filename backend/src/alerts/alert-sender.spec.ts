import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIRECT } from '../net/proxy.fixture.ts';
import { alertOptions, TARGET } from '../store/test/alert-options.fixture.ts';
import { eventEnvelope, serverEvent } from '../store/test/envelopes.fixture.ts';
import { openSqlite } from '../store/db/sqlite/open-sqlite.ts';
import { StoresUnderTest } from '../store/test/store-under-test.fixture.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { Receiver } from './receiver.fixture.ts';
import { AlertChannel, type AlertOutcome, type AlertTransport } from './alert-channel.ts';
import { AlertClient } from './alert-client.ts';
import { AlertSender } from './alert-sender.ts';
import { HOUR_MS } from '../time/iso.ts';

/** Accepts each delivery only in the next turn of the event loop. */
class SlowReceiver implements AlertTransport {
  most = 0;
  accepted = 0;
  #inFlight = 0;

  async send(): Promise<AlertOutcome> {
    this.#inFlight += 1;
    this.most = Math.max(this.most, this.#inFlight);
    await new Promise(setImmediate);
    this.#inFlight -= 1;
    this.accepted += 1;
    return { isAccepted: true, detail: null };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

describe('AlertSender', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-alerts-'));
  let files = 0;
  const stores = new StoresUnderTest(() => {
    files += 1;
    const file = join(directory, `${files}.db`);
    return Promise.resolve(() => openSqlite(file, 1e9));
  });
  let receiver: Receiver;
  let records: Record<string, unknown>[];
  let metrics: Metrics;
  beforeEach(async () => {
    receiver = await Receiver.start();
    records = [];
    metrics = new Metrics();
  });
  afterEach(async () => {
    await stores.close();
    await receiver.stop();
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  async function senderWith(...files_: readonly string[]): Promise<AlertSender> {
    const url = new URL(`http://127.0.0.1:${receiver.port}/`);
    const target = {
      url,
      service: 'json' as const,
      secret: null,
      allowsPrivate: true,
      userAgent: 'errata/1.0.0',
      proxy: DIRECT,
    };
    return senderOver(new AlertClient(target), files_);
  }

  async function senderOver(transport: AlertTransport, files_: readonly string[]): Promise<AlertSender> {
    const store = await stores.open(undefined, alertOptions(stores));
    await store.ingest(files_.map((file, index) => eventEnvelope(serverEvent(index + 1, file))));
    const log = createLog('info', {
      write: (line) => void records.push(JSON.parse(line) as Record<string, unknown>),
    });
    const now = () => stores.nowMs;
    const options = { id: TARGET.id, name: 'hooks.example', filter: TARGET.filter, log, metrics, now };
    // Makes pauses that are no whole numbers, which the database refuses: 4,999.5 ms.
    const random = () => 0.9999;
    return new AlertSender(store, new AlertChannel(transport, options), { log, now, random });
  }

  async function counted(): Promise<Readonly<Record<string, number>>> {
    const { values } = await metrics.alerts.get();
    return Object.fromEntries(
      values.map(({ labels, value }) => [String(Reflect.get(labels, 'outcome')), value]),
    );
  }

  it('sends one delivery for each new issue', async () => {
    const sender = await senderWith('a/a', 'b/b');

    await sender.run();
    stores.nowMs += HOUR_MS;
    await sender.run();
    await sender.stop();

    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      'issue.new',
      'issue.new',
    ]);
    expect(await counted()).toEqual({ accepted: 2, failed: 0, dropped: 0 });
  });

  it('starts no delivery that would wait for a connection', async () => {
    const client = new SlowReceiver();
    const sender = await senderOver(client, ['a/a', 'b/b', 'c/c', 'd/d', 'e/e', 'f/f', 'g/g', 'h/h', 'i/i']);

    await sender.run();
    await sender.stop();

    expect([client.most, client.accepted]).toEqual([4, 9]);
  });

  it('sends the same delivery again after growing pauses, until the receiver accepts it', async () => {
    receiver.status = 500;
    const sender = await senderWith('a/a');
    const pausesMs: number[] = [];

    for (let round = 0; round < 3; round += 1) {
      await sender.run();
      const before = receiver.received.length;
      const sinceMs = stores.nowMs;
      while (receiver.received.length === before) {
        stores.nowMs += 1_000;
        if (round === 2) receiver.status = 204;
        await sender.run();
      }
      pausesMs.push(stores.nowMs - sinceMs);
    }
    stores.nowMs += HOUR_MS;
    await sender.run();
    await sender.stop();

    expect(pausesMs).toEqual([5_000, 10_000, 20_000]);
    expect(receiver.received).toHaveLength(4);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(records.map(({ msg, target, reason, attempts }) => [msg, target, reason, attempts])).toEqual([
      ['alert_failed', 'hooks.example', 'status_500', 1],
      ['alert_failed', 'hooks.example', 'status_500', 2],
      ['alert_failed', 'hooks.example', 'status_500', 3],
    ]);
  });

  it('waits at least for the Retry-After of the receiver', async () => {
    receiver.status = 429;
    receiver.headers = { 'retry-after': '120' };
    const sender = await senderWith('a/a');

    await sender.run();
    stores.nowMs += 119_999;
    await sender.run();
    const early = receiver.received.length;
    stores.nowMs += 1;
    await sender.run();
    await sender.stop();

    expect([early, receiver.received.length]).toEqual([1, 2]);
  });

  it('stops at once with a delivery in flight, which is sent again after the next start', async () => {
    receiver.status = null;
    const sender = await senderWith('a/a');
    const round = sender.run();
    await receiver.next();

    await sender.stop();
    await round;

    expect(await counted()).toMatchObject({ failed: 1 });
    expect(records.some(({ msg }) => msg === 'alerts_failed')).toBe(false);
  });
});

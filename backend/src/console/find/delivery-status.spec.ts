import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dispatcherOptions, LATER, REFUSED, ScriptedSink } from '../../relay/relay.fixture.ts';
import { Relay } from '../../relay/relay.ts';
import type { Provenance } from '../../contract/event-api.ts';
import type { Settlement } from '../../sink/sink.ts';
import type { Spool } from '../../spool/spool.ts';
import { newEnvelope, openSpool } from '../../spool/spool.fixture.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { createLog } from '../../telemetry/log.ts';
import { Metrics } from '../../telemetry/metrics.ts';
import { numberIn } from '../delivery/dead-letter-id.ts';
import { DeliveryStatus } from './delivery-status.ts';

const UPSTREAM = 'https://0123456789abcdef@sentry.example/7';
const OWN = 'https://key@errata.invalid/1';
const EVENT = 'a1'.repeat(16);
const RECEIVED_MS = Date.now();
const HELD: Settlement = { outcome: 'held', untilMs: Date.now() + 3_600_000, wasSent: true };

describe('DeliveryStatus', () => {
  let directory: string;
  let spool: Spool;
  let relay: Relay;
  let sink: ScriptedSink;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-delivery-status-'));
    spool = await openSpool(directory);
  });

  afterEach(async () => {
    await relay.stop(1_000);
    await spool.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Delivers one error to a fake upstream that responds by a script. */
  async function send(script: readonly Settlement[], project = UPSTREAM): Promise<void> {
    sink = new ScriptedSink([...script]);
    relay = newRelay();
    // Without a script the fake upstream never responds.
    if (script.length > 0) relay.start();
    const pending = project === UPSTREAM ? UPSTREAM_BIT | STORE_BIT : STORE_BIT;
    await spool.append(
      newEnvelope('an error', { project, eventId: EVENT, receivedAtMs: RECEIVED_MS, pending }),
    );
    if (script.length > 0) await sink.offered(script.length);
    await relay.stop(1_000);
    await spool.flush();
  }

  function newRelay(): Relay {
    const options = dispatcherOptions(sink, { project: UPSTREAM, backoff: { minMs: 1, maxMs: 60_000 } });
    return new Relay([options], { spool, log: createLog('silent'), metrics: new Metrics() });
  }

  function where(
    changes: {
      readonly project?: string;
      readonly spool?: number;
      readonly provenance?: Pick<Provenance, 'origin'>;
    } = {},
  ) {
    const projects = [
      { project: UPSTREAM, hasUpstream: true },
      { project: OWN, hasUpstream: false },
    ];
    const received = new Date(RECEIVED_MS).toISOString();
    const provenance = { origin: 'own' } as const;
    const event = {
      eventId: EVENT,
      project: UPSTREAM,
      received,
      provenance,
      spool: spool.identity,
      ...changes,
    };
    return new DeliveryStatus(spool, relay, projects).of(event);
  }

  it('knows the time, the try and the upstream of its delivery', async () => {
    await send([LATER, { outcome: 'delivered', digest: null }]);

    expect(await where()).toEqual({
      state: 'delivered',
      time: expect.stringMatching(/^\d{4}-/),
      tries: 2,
      reason: null,
      status: null,
      upstream: 'sentry.example/7',
      deadLetterId: null,
    });
  });

  it('concludes that it was delivered after a restart', async () => {
    await send([{ outcome: 'delivered', digest: null }]);
    relay = newRelay();

    expect(await where()).toMatchObject({ state: 'delivered', time: null, tries: null });
  });

  it('does not conclude a delivery of an event from another spool', async () => {
    await send([{ outcome: 'delivered', digest: null }]);
    relay = newRelay();

    expect(await where({ spool: spool.identity + 1 })).toMatchObject({ state: 'unknown' });
  });

  it('says why it waits, and how often it was tried', async () => {
    await send([LATER]);

    expect(await where()).toMatchObject({ state: 'queued', tries: 1, reason: 'down' });
  });

  it('says that a rate limit holds it', async () => {
    await send([HELD]);

    expect(await where()).toMatchObject({ state: 'queued', tries: 1, reason: 'rate_limited' });
  });

  it('says that its upstream is not in the settings', async () => {
    await send([]);
    relay = new Relay([], { spool, log: createLog('silent'), metrics: new Metrics() });

    expect(await where()).toMatchObject({
      state: 'queued',
      tries: null,
      reason: 'upstream_not_in_settings',
    });
  });

  it('names the dead letter, and that it was dropped', async () => {
    await send([REFUSED]);
    const refused = await where();
    await spool.ask('discard', [numberIn(spool.identity, refused.deadLetterId ?? '') ?? 0]);

    expect(refused).toMatchObject({ state: 'dead_lettered', reason: 'send_error', status: 413 });
    expect(refused.deadLetterId).toMatch(/^[1-9]\d*-/);
    expect(await where()).toMatchObject({ state: 'discarded', status: 413, deadLetterId: null });
  });

  it('is here, for a project without an upstream', async () => {
    await send([], OWN);

    expect(await where({ project: OWN })).toMatchObject({ state: 'stored_only', upstream: null });
  });

  it('is here, for the page of a gateway', async () => {
    await send([]);

    const delivery = await where({ provenance: { origin: 'gateway' } });

    expect(delivery).toMatchObject({ state: 'stored_only', upstream: null });
  });

  it('is unknown while the spool cannot be asked', async () => {
    await send([LATER]);
    await spool.close();

    expect(await where()).toMatchObject({ state: 'unknown' });
  });
});

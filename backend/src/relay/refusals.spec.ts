import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_SENDER, type QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { Settlement } from '../sink/sink.ts';
import type { Spool } from '../spool/spool.ts';
import { fates, openSpool, settledCounts } from '../spool/spool.fixture.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { ManualTime } from '../time/manual-time.fixture.ts';
import { DELIVERED, dispatcherOptions, itemEnvelope, ScriptedSink } from './relay.fixture.ts';
import { Relay } from './relay.ts';
import { settlementOf } from './upstream-answer.ts';

const BACKOFF = { minMs: 500, maxMs: 60_000 };
const LIMIT_MS = 5_000;
const GOOD = 'https://shop.example';
const BAD = '203.0.113.9';
const SPARE = ['replay_event', 'log', 'profile_chunk'];

/** Answers as an upstream that refuses an envelope, or as a firewall in front of it. */
function refusing(status: number, start: '{' | '<') {
  const headers = { 'content-type': start === '{' ? 'application/json' : 'text/html' };
  const response = { status, headers, firstByte: start.charCodeAt(0) };
  return (envelope: QueuedEnvelope): Settlement =>
    settlementOf(response, envelope, [], { limits: [], nowMs: 0 });
}

describe('an upstream that refuses a part of the envelopes', () => {
  let directory: string;
  let spool: Spool;
  let relay: Relay;
  let time: ManualTime;
  let sink: ScriptedSink;
  /** Times between acceptance and delivery, of the envelopes that were delivered. */
  let waitsMs: number[];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-refusals-'));
    const deadLetters = { maxBytes: 2 ** 24, maxRows: 1_000, maxAgeMs: 1e9 };
    spool = await openSpool(directory, { maxBytes: 2 ** 26, deadLetters });
    time = new ManualTime();
    sink = new ScriptedSink();
    waitsMs = [];
    const context = { spool, log: createLog('silent'), metrics: new Metrics(), time, random: () => 1 };
    relay = new Relay([dispatcherOptions(sink, { backoff: BACKOFF, pauseProbeMs: 300_000 })], context);
    relay.start();
  });

  afterEach(async () => {
    await relay.stop(1_000);
    await spool.close();
    rmSync(directory, { recursive: true });
  });

  /** Refuses the envelopes that meet a condition, and delivers all others. */
  function refuse(
    isRefused: (envelope: QueuedEnvelope) => boolean,
    answer: (one: QueuedEnvelope) => Settlement,
  ) {
    sink.answer = (_text, envelope) => {
      if (isRefused(envelope)) return answer(envelope);
      waitsMs.push(time.nowMs() - envelope.receivedAtMs);
      return DELIVERED;
    };
  }

  function append(type: string, text: string, origin: string | null = null): Promise<unknown> {
    return spool.append({ ...itemEnvelope(type, text, origin), receivedAtMs: time.nowMs() });
  }

  /** Appends errors of one site from one network. */
  async function appendFrom(address: string, count: number): Promise<void> {
    const sender = { ...NO_SENDER, origin: GOOD, address };
    const one = (at: number): Promise<unknown> =>
      spool.append({
        ...itemEnvelope('event', `${address} ${time.nowMs()} ${at}`),
        sender,
        receivedAtMs: time.nowMs(),
      });
    await Promise.all(Array.from({ length: count }, (_, at) => one(at)));
  }

  async function pass(ms: number): Promise<void> {
    const untilMs = time.nowMs() + ms;
    time.startTimer(ms, () => {});
    await time.moveUntil(() => time.nowMs() >= untilMs);
  }

  /** Sends good envelopes until so many others are dead letters. Returns the number of good ones. */
  async function untilDeadLetters(count: number): Promise<number> {
    let sent = 0;
    for (; fates(await settledCounts(spool))['dead_lettered'] !== count; sent += 1) {
      await append('event', `after ${sent}`, GOOD);
      await pass(1_000);
    }
    return sent;
  }

  /** Moves the clock until no envelope is queued, at most so far. */
  async function untilEmpty(maxMs: number): Promise<void> {
    const endMs = time.nowMs() + maxMs;
    while ((await settledCounts(spool)).queued > 0 && time.nowMs() < endMs) await pass(1_000);
  }

  /** Returns how often an envelope was sent. */
  const triesOf = (text: string): number => sink.seen.filter((one) => one.includes(`"${text}"`)).length;
  const isBad = ({ sender }: QueuedEnvelope): boolean => sender.address === BAD;
  const isSpare = ({ class: envelopeClass }: QueuedEnvelope): boolean => envelopeClass !== 0;

  it.each([
    [400, '{'],
    [422, '{'],
    [500, '{'],
    [403, '<'],
    [500, '<'],
    [200, '<'],
  ] as const)(
    'sends each error within 5 s beside 97 %% of others that get %i with a body that begins with %s',
    async (status, start) => {
      refuse(isSpare, refusing(status, start));

      for (let at = 0; at < 100; at += 1) {
        await append(at % 33 === 20 ? 'event' : (SPARE[at % 3] ?? ''), `${at}`);
        await pass(2_500);
      }

      expect(waitsMs).toHaveLength(3);
      expect(Math.max(...waitsMs)).toBeLessThanOrEqual(LIMIT_MS);
    },
  );

  it.each([
    ['https://www.shop.example', 403],
    ['http://shop.example', 401],
    ['null', 404],
  ])(
    'delivers all of one origin at once while %s gets %i, and the others become dead letters',
    async (bad, status) => {
      refuse(({ sender }) => sender.origin === bad, refusing(status, '{'));

      for (let at = 0; at < 100; at += 1) {
        await append('event', `${at}`, at % 2 === 0 ? bad : GOOD);
        await pass(100);
      }
      const sent = 50 + (await untilDeadLetters(50));

      expect(waitsMs).toHaveLength(sent);
      expect(Math.max(...waitsMs)).toBe(0);
      expect(relay.sinks()).toMatchObject([{ state: 'flowing' }]);
    },
  );

  it('gives up what comes from an origin that was rejected 60 times in a row at the second rejection', async () => {
    refuse(({ sender }) => sender.origin !== GOOD, refusing(403, '{'));
    for (let at = 0; at < 60; at += 1) {
      await append('event', `${at}`, 'https://www.shop.example');
      await append('event', `good ${at}`, GOOD);
      await pass(100);
    }

    await append('event', 'last', 'https://www.shop.example');
    await untilDeadLetters(61);

    expect(triesOf('last')).toBe(2);
  });

  it('delivers what is rejected by chance ten times, beside others that are accepted', async () => {
    refuse(
      ({ items }) => Buffer.from(items).includes('unlucky') && triesOf('unlucky') < 10,
      refusing(401, '{'),
    );
    await append('event', 'unlucky', GOOD);
    for (let at = 0; at < 30; at += 1) {
      await append('event', `${at}`, GOOD);
      await pass(1_000);
    }
    await untilEmpty(60_000);

    expect(waitsMs).toHaveLength(31);
  });

  it.each([
    [403, '<'],
    [500, '<'],
    [200, '<'],
  ] as const)('goes on while a firewall answers one envelope with %i and %s', async (status, start) => {
    refuse(({ items }) => Buffer.from(items).includes('<script>'), refusing(status, start));
    const states = new Set<unknown>();

    await append('event', '<script>');
    for (let at = 0; at < 20; at += 1) {
      states.add(relay.sinks()[0]?.state);
      await pass(10_000);
      await append('event', `${at}`);
    }

    expect(states).toEqual(new Set(['flowing']));
    expect(waitsMs).toHaveLength(20);
    expect(Math.max(...waitsMs)).toBe(0);
  });

  it.each([
    [400, '{'],
    [413, '{'],
    [500, '{'],
    [403, '<'],
  ] as const)(
    'delivers the errors of all others within 5 s while those of one network get %i and %s, 20 in a second',
    async (status, start) => {
      refuse(isBad, refusing(status, start));
      const states = new Set<unknown>();

      for (let second = 0; second < 60; second += 1) {
        await appendFrom(BAD, 20);
        // Until the first accepted one, a 500 may be that of an upstream that is down.
        if (second > 0) states.add(relay.sinks()[0]?.state);
        await appendFrom(`198.51.100.${second % 2}`, 1);
        await pass(1_000);
      }

      expect(waitsMs).toHaveLength(60);
      expect(Math.max(...waitsMs)).toBeLessThanOrEqual(LIMIT_MS);
      expect(states).toEqual(new Set(['flowing']));
    },
  );

  it.each([400, 413])(
    'stores what gets %i from one network as dead letters in 2 min, without any other envelope',
    async (status) => {
      refuse(isBad, refusing(status, '{'));
      await appendFrom(BAD, 10);
      await appendFrom('198.51.100.1', 1);
      await pass(61_000);

      await appendFrom(BAD, 500);
      await untilEmpty(120_000);

      expect(await spool.ask('deadLetters', null, 1_000)).toHaveLength(510);
    },
  );

  it('discards nothing while an upstream refuses all, after it has refused one network only', async () => {
    refuse(isBad, refusing(400, '{'));
    await appendFrom(BAD, 10);
    await appendFrom('198.51.100.1', 1);
    await untilEmpty(60_000);
    refuse(() => true, refusing(400, '{'));

    for (let minute = 0; minute < 10; minute += 1) {
      for (const host of [1, 2, 3]) await appendFrom(`198.51.100.${host}`, 5);
      await pass(60_000);
    }

    expect(fates(await settledCounts(spool))).toMatchObject({ delivered: 1, dead_lettered: 10 });
  });

  it('sends five of a refused kind in the first pause, and lets the others of it wait', async () => {
    refuse(() => true, refusing(403, '{'));

    await Promise.all(Array.from({ length: 10 }, (_, at) => append('event', `${at}`, GOOD)));
    await pass(BACKOFF.minMs - 1);

    expect(sink.seen).toHaveLength(5);
  });

  it('sends what is in memory of another kind in the pause', async () => {
    refuse(({ sender }) => sender.origin === null, refusing(403, '{'));

    await Promise.all([append('event', 'bad'), append('event', 'good', GOOD)]);
    await sink.offered(2);

    expect(waitsMs).toEqual([0]);
  });

  it('keeps one example of a refused type, and counts the others as dead letters', async () => {
    refuse(({ class: envelopeClass }) => envelopeClass === 4, refusing(400, '{'));

    for (let at = 0; at < 20; at += 1) await append('replay_event', `${at}`);
    await untilDeadLetters(20);

    expect(await spool.ask('deadLetters', null, 100)).toHaveLength(1);
  });

  it('gives a refused type up at once when too many of it wait', async () => {
    refuse(({ class: envelopeClass }) => envelopeClass === 4, refusing(500, '{'));
    await append('replay_event', 'first');
    await append('session', 'one');

    await Promise.all(Array.from({ length: 5_009 }, (_, at) => append('replay_event', `${at}`)));
    await sink.offered(5_011);
    await relay.stop(1_000);

    expect(fates(await settledCounts(spool))).toMatchObject({ delivered: 1, dead_lettered: 10 });
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dispatcherOptions, LATER, ScriptedSink } from '../../relay/relay.fixture.ts';
import { Relay } from '../../relay/relay.ts';
import { fates, queued, openSpool } from '../../spool/spool.fixture.ts';
import type { Spool } from '../../spool/spool.ts';
import { type NewEnvelope, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { envelopeOf, type EventBody, eventIdOf, serverEvent } from '../../store/test/envelopes.fixture.ts';
import type { TestedStore } from '../../store/test/tested-store.fixture.ts';
import { openSqlite } from '../../store/db/sqlite/open-sqlite.ts';
import { StoresUnderTest } from '../../store/test/store-under-test.fixture.ts';
import { createLog } from '../../telemetry/log.ts';
import { Metrics } from '../../telemetry/metrics.ts';
import { Eraser } from './eraser.ts';

const NOW_MS = Date.now() + 3_600_000;
const ANN = { user: { email: 'ann@shop.example' } };

function waiting(number: number, changes: EventBody = {}): NewEnvelope {
  const body = serverEvent(number, 'a', { user: { id: 'ben' }, ...changes });
  const {
    id: _,
    gzipped: __,
    monotonicAtMs: ___,
    ...envelope
  } = envelopeOf([{ type: 'event', payload: body }]);
  return { ...envelope, eventId: eventIdOf(number), receivedAtMs: Date.now(), pending: UPSTREAM_BIT };
}

describe('Erasing', () => {
  let directory: string;
  let stores: StoresUnderTest;
  let store: TestedStore;
  const spools: Spool[] = [];
  const relays: Relay[] = [];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-eraser-'));
    const file = join(directory, 'store.db');
    stores = new StoresUnderTest(() => Promise.resolve(() => openSqlite(file, 2 ** 28)));
    store = await stores.open();
  });

  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop(1_000)));
    await Promise.all(spools.splice(0).map((spool) => spool.close()));
    await stores.close();
    rmSync(directory, { recursive: true });
  });

  /** A replica: a spool and a relay of its own, over the one store. */
  async function replica(sink: ScriptedSink | null = null) {
    const spool = await openSpool(join(directory, `spool-${spools.length}`), { maxBytes: 2 ** 26 });
    spools.push(spool);
    const context = { spool, log: createLog('silent'), metrics: new Metrics() };
    const relay = new Relay(sink === null ? [] : [dispatcherOptions(sink)], context);
    relays.push(relay);
    relay.start();
    return { spool, eraser: new Eraser(store, spool, relay) };
  }

  async function heldEvents(spool: Spool): Promise<readonly (string | null)[]> {
    return (await queued(spool)).map(({ eventId }) => eventId);
  }

  it('erases queued envelopes, compressed or not, and dead letters', async () => {
    const { spool, eraser } = await replica();
    await spool.append(waiting(1, ANN));
    await spool.append(waiting(2));
    await spool.append(waiting(3, { ...ANN, extra: { noise: 'x'.repeat(100_000) } }));
    spool.keepMalformed({
      project: 'https://key@errata.invalid/1',
      receivedAtMs: Date.now(),
      sender: { address: null, userAgent: null, origin: null, referer: null, sdk: null, clientHints: {} },
      body: Buffer.from('{"type":"event"}\n{"user":{"email":"ann@shop.example"},'),
      detail: 'cut off',
    });
    await spool.flush();

    const erased = await eraser.erase({ user: 'ann@shop.example' }, NOW_MS);

    expect(erased).toEqual({ events: 0, feedback: 0, spooled: 3 });
    expect(await heldEvents(spool)).toEqual([eventIdOf(2)]);
    const counts = await spool.ask('counts');
    expect(fates(counts)).toMatchObject({ accepted: 3, erased: 2 });
    expect(counts.deadLetters).toBe(0);
  });

  it('says what an erasure matches in each project, and then erases in one of them', async () => {
    const { spool, eraser } = await replica();
    const project = 'https://key@errata.invalid/2';
    await spool.append(waiting(1, ANN));
    await spool.append({ ...waiting(2, ANN), project });
    await spool.append({ ...waiting(3), project });
    const ann = { user: 'ann@shop.example' };

    const before = await eraser.matches(ann, NOW_MS);
    const erased = await eraser.erase({ ...ann, project }, NOW_MS);

    const one = { events: 0, feedback: 0, spooled: 1 };
    expect(before).toEqual([
      { project: waiting(1).project, ...one },
      { project, ...one },
    ]);
    expect(erased).toEqual(one);
    expect(await heldEvents(spool)).toEqual([eventIdOf(1), eventIdOf(3)]);
  });

  it('erases one event, and everything before a time', async () => {
    const { spool, eraser } = await replica();
    await spool.append(waiting(1));
    await spool.append({ ...waiting(2), receivedAtMs: Date.now() - 3_600_000 });
    await spool.append(waiting(3));

    const one = await eraser.erase({ eventId: eventIdOf(1) }, NOW_MS);
    const old = await eraser.erase({ before: new Date(Date.now() - 60_000).toISOString() }, NOW_MS);

    expect([one.spooled, old.spooled]).toEqual([1, 1]);
    expect(await heldEvents(spool)).toEqual([eventIdOf(3)]);
  });

  it('erases in the spools of other replicas, and envelopes on their way there', async () => {
    const [one, other] = [await replica(), await replica()];
    await other.spool.append(waiting(1, ANN));
    await other.spool.append(waiting(2));

    const erased = await one.eraser.erase({ user: 'ann@shop.example' }, NOW_MS);
    const atOther = await other.eraser.catchUp();
    await other.spool.append(waiting(3, ANN));
    const again = await other.eraser.catchUp();

    expect([erased.spooled, atOther, again]).toEqual([0, 1, 0]);
    expect(await heldEvents(other.spool)).toEqual([eventIdOf(2), eventIdOf(3)]);
  });

  it('looks once more for envelopes on their way into the spool here', async () => {
    const { spool, eraser } = await replica();
    await eraser.erase({ user: 'ann@shop.example' }, NOW_MS);
    await spool.append(waiting(1, ANN));

    expect(await eraser.catchUp()).toBe(1);
    expect(await eraser.catchUp()).toBe(0);
  });

  it('sends no erased envelope from memory: neither a queued nor a just rejected one', async () => {
    const sink = new ScriptedSink();
    let release: () => void = () => {};
    const refused = new Promise<void>((resolve) => {
      release = resolve;
    });
    sink.deliver = async (batch) => {
      sink.seen.push(...batch.map(({ eventId }) => String(eventId)));
      if (sink.seen.length > 1) return batch.map(() => ({ outcome: 'delivered', digest: null }));
      await refused;
      return batch.map(() => LATER);
    };
    const { spool, eraser } = await replica(sink);
    await spool.append(waiting(1, ANN));
    await spool.append(waiting(2, ANN));
    await spool.append(waiting(3));

    await eraser.erase({ user: 'ann@shop.example' }, NOW_MS);
    release();
    const counts = await until(spool, (fate) => fate['delivered'] === 1);

    expect(sink.seen).toEqual([eventIdOf(1), eventIdOf(3)]);
    expect(counts).toMatchObject({ accepted: 3, erased: 2, delivered: 1 });
  });

  it('reads a full spool in pieces, between which others have their turn', async () => {
    const { spool, eraser } = await replica();
    const noise = gzipSync(Buffer.from('x')).toString('hex').repeat(40);
    await Promise.all(
      Array.from({ length: 2_000 }, (_, index) =>
        spool.append(waiting(index + 1, index % 2 === 0 ? ANN : { extra: noise })),
      ),
    );

    const erasure = eraser.erase({ user: 'ann@shop.example' }, NOW_MS);
    await spool.append(waiting(5_000));
    const { spooled } = await erasure;

    expect(spooled).toBe(1_000);
    expect(await heldEvents(spool)).toHaveLength(1_001);
  });
});

async function until(
  spool: Spool,
  isDone: (fate: Readonly<Record<string, number>>) => boolean,
): Promise<Readonly<Record<string, number>>> {
  for (;;) {
    await spool.flush();
    const counts = fates(await spool.ask('counts'));
    if (isDone(counts)) return counts;
  }
}

import { gzipSync } from 'node:zlib';
import { scanItems } from '../envelope/items.ts';
import { spooledEnvelope } from '../spool/spool.fixture.ts';
import { NO_SENDER, type QueuedEnvelope } from '../sink/queued-envelope.ts';
import { DELIVERED } from './relay.fixture.ts';
import { type Scrubbed, ScrubThread } from './scrub-thread.ts';
import { ScrubbedSink } from './scrubbed-sink.ts';
import { type Settlement, Sink } from '../sink/sink.ts';

const CARD = '4111 1111 1111 1111';

/** Keeps the delivered envelopes. */
class KeepingSink extends Sink {
  override readonly maxBatch = 1;
  readonly given: QueuedEnvelope[] = [];

  override deliver(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]> {
    this.given.push(...batch);
    return Promise.resolve(batch.map(() => DELIVERED));
  }
}

function item(header: object, payload: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), Buffer.from(payload), Buffer.from('\n')]);
}

describe('ScrubbedSink', () => {
  const thread = new ScrubThread();
  afterAll(() => thread.close());

  async function delivered(items: Buffer, changes: Partial<QueuedEnvelope> = {}) {
    const sink = new KeepingSink();
    const envelope = { ...spooledEnvelope(''), items, ...changes };
    const [settlement] = await new ScrubbedSink(sink, thread).deliver([envelope]);
    return { settlement, given: sink.given[0], envelope };
  }

  it('passes on numbers with the digits that came', async () => {
    const payload = '{"user":{"id":1100000000000000001},"extra":{"price":1.0}}';

    const { given } = await delivered(item({ type: 'event' }, payload));

    expect(Buffer.from(given?.items ?? '').toString()).toContain(`\n${payload}\n`);
  });

  it('passes on null for a number that is no JSON, which an upstream cannot parse', async () => {
    const payload = '{"extra":{"ratio":NaN,"limits":[Infinity, -Infinity],"text":"NaN"}}';

    const { settlement, given } = await delivered(item({ type: 'event' }, payload));

    expect(settlement).toEqual(DELIVERED);
    expect(Buffer.from(given?.items ?? '').toString()).toContain(
      '\n{"extra":{"ratio":null,"limits":[null,null],"text":"NaN"}}\n',
    );
  });

  it('passes on copies without secrets that an upstream can parse', async () => {
    const payload = JSON.stringify({
      message: `paid by ${CARD} – ü`,
      request: { headers: { Authorization: 'Bearer abc' } },
    });
    const event = item(
      { type: 'event', length: Buffer.byteLength(payload), content_type: 'application/json' },
      payload,
    );
    const log = item({ type: 'log', item_count: 1 }, JSON.stringify({ items: [{ body: CARD }] }));

    const { settlement, given } = await delivered(Buffer.concat([event, log]));

    expect(settlement).toEqual(DELIVERED);
    const items = Buffer.from(given?.items ?? '');
    expect(items.toString()).not.toMatch(/4111|Bearer abc/);
    const scan = scanItems(items, 0);
    expect(scan).toMatchObject({ outcome: 'ok', items: [{ type: 'event' }, { type: 'log', itemCount: 1 }] });
    expect(items.toString()).toContain('"content_type":"application/json"');
    const [first] = scan.outcome === 'ok' ? scan.items : [];
    const body: unknown = JSON.parse(items.subarray(first?.payloadStart, first?.payloadEnd).toString());
    expect(body).toMatchObject({
      message: expect.stringMatching(/^paid by .* – ü$/),
      request: { headers: { Authorization: '[Filtered]' } },
    });
  });

  it('passes recordings, attachments and profiles on byte for byte', async () => {
    const items = Buffer.concat([
      item({ type: 'attachment', length: 6, filename: 'x' }, Buffer.from([0, 10, 255, 1, 2, 3])),
      item({ type: 'replay_recording', length: 4 }, Buffer.from([120, 156, 0, 10])),
      item({ type: 'profile', length: 24 }, '{"samples":[1,2,3],"x":1}'.slice(0, 24)),
    ]);

    const { given } = await delivered(items);

    expect(Buffer.from(given?.items ?? '').equals(items)).toBe(true);
  });

  it('passes on no unscrubbed compressed copy, and only the path of the referer', async () => {
    const sender = { ...NO_SENDER, referer: 'https://shop.example/reset?token=abc#x' };
    const items = item({ type: 'event' }, '{}');

    const { given } = await delivered(items, { sender, gzipped: gzipSync('all of it') });

    expect(given?.gzipped).toBeNull();
    expect(given?.sender.referer).toBe('https://shop.example/reset');
  });

  it('does not change the envelope in the spool', async () => {
    const items = item({ type: 'event' }, JSON.stringify({ message: CARD }));
    const before = Buffer.from(items);

    const { envelope } = await delivered(items);

    expect(Buffer.from(envelope.items).equals(before)).toBe(true);
  });

  it.each([
    ['not JSON', item({ type: 'event' }, `{"message":"${CARD}"`)],
    ['without items', Buffer.from(`no items but ${CARD}`)],
    ['of an unknown type and not JSON', item({ type: 'novelty' }, CARD)],
  ])('turns an envelope into a dead letter that is %s', async (_, items) => {
    const { settlement, given } = await delivered(items);

    expect(settlement).toMatchObject({ outcome: 'refused', reason: 'unscrubbable' });
    expect(given).toBeUndefined();
  });

  it('passes on nothing while its thread is down, and retries', async () => {
    const sink = new KeepingSink();
    const down = { scrub: () => Promise.resolve<Scrubbed>({ outcome: 'unavailable' }) };

    const [settlement] = await new ScrubbedSink(sink, down).deliver([spooledEnvelope('')]);

    expect(settlement).toMatchObject({ outcome: 'retry' });
    expect(sink.given).toEqual([]);
  });
});

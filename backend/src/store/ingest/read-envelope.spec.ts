import { envelopeOf, serverEvent } from '../test/envelopes.fixture.ts';
import { packForStore, unpackForStore } from '../event/store-envelope.ts';
import { readEnvelope, type ReadOptions } from './read-envelope.ts';

const OPTIONS = {
  maps: { map: () => Promise.resolve(null) },
  own: { root: '', files: new Map() },
  spool: 1,
} as unknown as ReadOptions;

const deep = (half: number): string => `${'['.repeat(half)}${']'.repeat(half)}`;
const MANY_VALUES_4_MB = `{"list":[${Array(1_300_000).fill('{}').join(',')}]}`;

function readItems(items: Parameters<typeof envelopeOf>[0]): ReturnType<typeof readEnvelope> {
  const [envelope] = unpackForStore(packForStore([envelopeOf(items)]));
  if (envelope === undefined) throw new Error('no envelope');
  return readEnvelope(envelope, OPTIONS);
}

/** Counts what is read of an envelope with a good event behind `count` items with this payload. */
async function readBeside(payload: string, count: number): Promise<{ events: number; malformed: number }> {
  const bad = Array.from({ length: count }, () => ({ type: 'event', payload }));
  const { events, malformed } = await readItems([...bad, { type: 'event', payload: serverEvent(1) }]);
  return { events: events.length, malformed };
}

describe('readEnvelope', () => {
  it.each([
    ['1 item of 19 MB of brackets', deep(9_500_000), 1],
    ['4 items of 4 MB of brackets', deep(2_000_000), 4],
    ['8 items of 4 MB of brackets', deep(2_000_000), 8],
    ['16 items of 4 MB of brackets', deep(2_000_000), 16],
    ['16 items of 4 MB of values', MANY_VALUES_4_MB, 16],
  ])('S3: reads none of %s, and the good event beside them', async (_, payload, count) => {
    expect(await readBeside(payload, count)).toEqual({ events: 1, malformed: count });
  });

  it('scrubs no more of all feedback of an envelope than of one', async () => {
    const payload = { comments: 'a'.repeat(2 ** 16) };

    const { feedback } = await readItems(
      Array.from({ length: 17 }, () => ({ type: 'user_report', payload })),
    );

    const messages = feedback.map(({ message }) => message.slice(0, 11));
    expect([messages[14], messages[16]]).toEqual(['aaaaaaaaaaa', '[Truncated]']);
  });
});

import type { FindAnswer } from '../../contract/find-api.ts';
import { RecentRejections } from '../../outcome/recent-rejections.ts';
import type { MissingEvents } from '../../spool/protocol/event-status.ts';
import { Finder, type FinderSources } from './finder.ts';

const NOTHING = { query: 'x', reading: 'event_id', readings: [], issues: [], eventId: null } as const;
const HINT = { similar: [], recent: [], oldestStored: '2026-10-22T00:00:00.000Z', deleted: 12 };
const EVENT = 'a1'.repeat(16);
const LOST: NonNullable<MissingEvents['event']> = {
  eventId: EVENT,
  fate: 'expired',
  reason: 'cache_overflow',
  atMs: 0,
};

interface Known {
  readonly answer?: object;
  readonly missing?: MissingEvents | null;
}

/** A store that finds `answer`, and a spool that returns `missing`, or is unavailable. */
function findOver({
  answer = { ...NOTHING, hint: { ...HINT, eventIds: [EVENT] } },
  missing = { queued: 3, event: LOST },
}: Known = {}) {
  const rejections = new RecentRejections(() => 0, 0);
  rejections.count('too_large');
  const asked: unknown[] = [];
  const store = { ask: () => Promise.resolve(answer) };
  const spool = {
    ask: (_call: string, eventIds: unknown) => {
      asked.push(eventIds);
      return missing === null ? Promise.reject(new Error('closed')) : Promise.resolve(missing);
    },
  };
  const sources = { store, spool, rejections } as unknown as FinderSources;
  return { find: (query = 'x'): Promise<FindAnswer> => new Finder(sources, 30).find(query), asked };
}

describe('Finder', () => {
  it('explains a miss by counts of deleted, rejected, lost and queued events', async () => {
    const { find, asked } = findOver();

    expect(await find()).toEqual({
      ...NOTHING,
      hint: {
        ...HINT,
        retentionDays: 30,
        rejected: [{ reason: 'too_large', count: 1 }],
        rejectedSince: '1970-01-01T00:00:00.000Z',
        lost: { eventId: EVENT, fate: 'expired', reason: 'cache_overflow', time: '1970-01-01T00:00:00.000Z' },
        queued: 3,
      },
    });
    expect(asked).toEqual([[EVENT]]);
  });

  it('leaves out the counts of the spool while it is unavailable', async () => {
    expect((await findOver({ missing: null }).find()).hint).toMatchObject({
      deleted: 12,
      lost: null,
      queued: null,
    });
  });

  it('reports the event of a discarded dead letter as a dead letter', async () => {
    const missing = { queued: 0, event: { ...LOST, fate: 'discarded' as const } };

    expect((await findOver({ missing }).find()).hint?.lost?.fate).toBe('dead_lettered');
  });

  it('does not query the spool when something was found', async () => {
    const { find, asked } = findOver({ answer: NOTHING });

    expect(await find()).toEqual(NOTHING);
    expect(asked).toEqual([]);
  });

  it('names unknown words of a search, and none of a text that was read as an id', async () => {
    const text = findOver({ answer: { ...NOTHING, reading: 'text' } });
    const filter = findOver({ answer: { ...NOTHING, reading: 'user' } });
    const id = findOver({ answer: NOTHING });

    expect((await text.find('priority:high')).unknownWords?.unknown).toEqual(['priority:']);
    expect((await filter.find('user:ann priority:high')).unknownWords?.unknown).toEqual(['priority:']);
    expect(await id.find('priority:high')).not.toHaveProperty('unknownWords');
  });

  it.each([
    ['relaese:1.4.2', 'relaese:', 'release:'],
    ['uesr:ann', 'uesr:', 'user:'],
    ['uri:/cart', 'uri:', 'url:'],
    ['enviroment:production', 'enviroment:', 'environment:'],
    ['sever:web-1', 'sever:', 'server:'],
    ['brwser:safari', 'brwser:', 'browser:'],
    ['tags:plan:gold', 'tags:', 'tag:'],
    ['leve:fatal', 'leve:', 'level:'],
    ['iss:open', 'iss:', 'is:'],
    ['lats:24h', 'lats:', 'last:'],
    ['att:2026-11-28', 'att:', 'at:'],
    ['relaese:1.4.2 user:ann', 'relaese:', 'release:'],
    ['user:ann -brwser:safari', 'brwser:', 'browser:'],
  ])(
    'names the field that was meant in %s, unless it is a tag that was found',
    async (query, unknown, known) => {
      const read = { ...NOTHING, reading: 'tag' };
      const missed = findOver({ answer: { ...read, hint: { ...HINT, eventIds: [] } } });

      expect((await missed.find(query)).unknownWords?.nearest).toEqual([{ unknown, known }]);
      expect(await findOver({ answer: read }).find(query)).not.toHaveProperty('unknownWords');
    },
  );
});

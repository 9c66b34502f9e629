import type { FindAnswer } from '../../contract/find-api.ts';
import { RecentRejections } from '../../outcome/recent-rejections.ts';
import type { MissingEvents } from '../../spool/protocol/event-status.ts';
import { Search, type SearchSources } from './search.ts';

const NOTHING = { query: 'x', reading: 'event_id', issues: [], eventId: null } as const;
const HINT = { similar: [], oldestKept: '2026-10-22T00:00:00.000Z' };
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

/** A store that finds `answer`, and a spool that knows of `missing`, or cannot be asked. */
function finder({ answer = { ...NOTHING, hint: HINT }, missing = { waiting: 3, event: LOST } }: Known = {}) {
  const refusals = new RecentRejections(() => 0);
  refusals.count('too_large');
  const asked: unknown[] = [];
  const store = {
    ask: (call: string) => Promise.resolve(call === 'find' ? answer : { deleted: 12, eventIds: [EVENT] }),
  };
  const spool = {
    ask: (_call: string, work: unknown) => {
      asked.push(work);
      return missing === null ? Promise.reject(new Error('closed')) : Promise.resolve(missing);
    },
  };
  const sources = { store, spool, refusals } as unknown as SearchSources;
  return { find: (): Promise<FindAnswer> => new Search(sources, 30).find('x'), asked };
}

describe('Finder', () => {
  it('says of nothing what was deleted, refused, lost, and what waits', async () => {
    const { find, asked } = finder();

    expect(await find()).toEqual({
      ...NOTHING,
      hint: {
        ...HINT,
        retentionDays: 30,
        deleted: 12,
        refused: [{ reason: 'too_large', count: 1 }],
        lost: { eventId: EVENT, fate: 'expired', reason: 'cache_overflow', time: '1970-01-01T00:00:00.000Z' },
        waiting: 3,
      },
    });
    expect(asked).toEqual([{ eventIds: [EVENT] }]);
  });

  it('leaves out what only the spool knows while that cannot be asked', async () => {
    expect((await finder({ missing: null }).find()).hint).toMatchObject({
      deleted: 12,
      lost: null,
      waiting: null,
    });
  });

  it('takes a dropped dead letter for one that was refused', async () => {
    const missing = { waiting: 0, event: { ...LOST, fate: 'discarded' as const } };

    expect((await finder({ missing }).find()).hint?.lost?.fate).toBe('dead_lettered');
  });

  it('asks nobody else when something was found', async () => {
    const { find, asked } = finder({ answer: NOTHING });

    expect(await find()).toEqual(NOTHING);
    expect(asked).toEqual([]);
  });
});

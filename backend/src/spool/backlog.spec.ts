import type { SpoolCounts } from './protocol/spool-messages.ts';
import { backlogOf } from './backlog.ts';
import { EMPTY_COUNTS } from './spool.fixture.ts';

const KNOWN = 'https://key@up.example/1';
const REMOVED = 'https://key@gone.example/1';

function backlog(changes: Partial<SpoolCounts>) {
  return backlogOf({ ...EMPTY_COUNTS, ...changes }, new Set([KNOWN]));
}

describe('backlogOf', () => {
  it('is deliverable while the upstream of an envelope is in the settings', () => {
    const forUpstreams = [
      { project: KNOWN, envelopes: 1 },
      { project: REMOVED, envelopes: 4 },
    ];

    expect(backlog({ queued: 5, forUpstreams })).toMatchObject({
      queued: 5,
      stranded: 4,
      isDeliverable: true,
    });
  });

  it('is deliverable while the store misses an envelope', () => {
    expect(backlog({ queued: 1, forStore: 1 })).toMatchObject({ stranded: 0, isDeliverable: true });
  });

  it('is not deliverable when no upstream of its envelopes is in the settings', () => {
    const forUpstreams = [{ project: REMOVED, envelopes: 4 }];

    expect(backlog({ queued: 4, forUpstreams })).toMatchObject({
      queued: 4,
      stranded: 4,
      isDeliverable: false,
    });
  });

  it('does not count dead letters as queued', () => {
    expect(backlog({ deadLetters: 3 })).toMatchObject({ queued: 0, deadLetters: 3, isDeliverable: false });
  });

  it('has the ends of the ledger', () => {
    const ledger = [
      { fate: 'accepted', reason: '', count: 9 },
      { fate: 'delivered', reason: '', count: 4 },
      { fate: 'expired', reason: 'cache_overflow', count: 3 },
      { fate: 'dropped', reason: 'send_error', count: 1 },
      { fate: 'dropped', reason: 'no_upstream', count: 1 },
    ] as const;

    expect(backlog({ ledger })).toMatchObject({ delivered: 4, expired: 3, dropped: 2, erased: 0 });
  });
});

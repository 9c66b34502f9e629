import type { SpoolCounts } from '../spool/protocol/spool-messages.ts';
import { backlogOf } from './backlog.ts';

const KNOWN = 'https://key@up.example/1';
const REMOVED = 'https://key@gone.example/1';

const COUNTS: SpoolCounts = {
  held: 0,
  classes: [],
  forUpstreams: [],
  forStore: 0,
  ledger: [],
  discards: [],
  deadLetters: 0,
  fill: 0,
  bytes: 0,
  maxBytes: 1,
};

function backlog(changes: Partial<SpoolCounts>) {
  return backlogOf({ ...COUNTS, ...changes }, new Set([KNOWN]));
}

describe('backlogOf', () => {
  it('is deliverable while the upstream of an envelope is in the settings', () => {
    const forUpstreams = [
      { project: KNOWN, envelopes: 1 },
      { project: REMOVED, envelopes: 4 },
    ];

    expect(backlog({ held: 5, forUpstreams })).toMatchObject({ held: 5, stranded: 4, isDeliverable: true });
  });

  it('is deliverable while the store misses an envelope', () => {
    expect(backlog({ held: 1, forStore: 1 })).toMatchObject({ stranded: 0, isDeliverable: true });
  });

  it('is not deliverable when no upstream of its envelopes is in the settings', () => {
    const forUpstreams = [{ project: REMOVED, envelopes: 4 }];

    expect(backlog({ held: 4, forUpstreams })).toMatchObject({ held: 4, stranded: 4, isDeliverable: false });
  });

  it('does not count dead letters as held', () => {
    expect(backlog({ deadLetters: 3 })).toMatchObject({ held: 0, deadLetters: 3, isDeliverable: false });
  });

  it('has the ends of the ledger', () => {
    const ledger = [
      { fate: 'accepted', reason: '', count: 9 },
      { fate: 'delivered', reason: '', count: 4 },
      { fate: 'expired', reason: 'cache_overflow', count: 3 },
      { fate: 'shed', reason: 'send_error', count: 1 },
      { fate: 'shed', reason: 'no_upstream', count: 1 },
    ] as const;

    expect(backlog({ ledger })).toMatchObject({ delivered: 4, expired: 3, shed: 2, erased: 0 });
  });
});

import { HOUR_MS } from '../../time/iso.ts';
import { type Arrival, MAX_NEW_ISSUES, SenderCounts } from './sender-counts.ts';

const MAX_BYTES = 48_000_000;
/** 1/48 of it. */
const SHARE_BYTES = 1_000_000;
const FLOOD = { network: '203.0.113.0', receivedMs: 5 * HOUR_MS };

const newCounts = () => new SenderCounts(() => MAX_BYTES);

/** Adds new issues in a batch, and returns how many were within the cap. */
function added(senders: SenderCounts, count: number, arrival: Arrival = FLOOD, isCommitted = true): number {
  const batch = senders.begin();
  const within = Array.from({ length: count }, () => batch.addIssue(arrival)).filter(Boolean).length;
  if (isCommitted) batch.apply();
  return within;
}

describe('SenderCounts', () => {
  it('admits a number of new issues of a network and hour, in any number of batches', () => {
    const senders = newCounts();

    expect(added(senders, MAX_NEW_ISSUES - 1)).toBe(MAX_NEW_ISSUES - 1);
    expect(added(senders, 2)).toBe(1);
    expect(added(senders, 1)).toBe(0);
    expect(added(senders, 1, { ...FLOOD, network: '203.0.114.0' })).toBe(1);
    expect(added(senders, 1, { ...FLOOD, receivedMs: 6 * HOUR_MS })).toBe(1);
  });

  it('is above the share of a network with the bytes of an hour that fill two days', () => {
    const senders = newCounts();
    const batch = senders.begin();
    const isWithin = [
      batch.addIssue(FLOOD) && batch.addEvent(FLOOD, SHARE_BYTES - 3_700),
      batch.addEvent(FLOOD, 1),
      batch.addEvent({ ...FLOOD, network: '203.0.114.0' }, SHARE_BYTES),
      batch.addEvent({ ...FLOOD, receivedMs: 6 * HOUR_MS }, SHARE_BYTES),
      batch.addEvent({ ...FLOOD, network: null }, 2 * SHARE_BYTES),
    ];
    batch.apply();

    expect(isWithin).toEqual([true, false, true, true, true]);
    expect(senders.begin().addEvent(FLOOD, 0)).toBe(false);
  });

  it('is above the share of facts with a quarter of these bytes, and counts no more of them', () => {
    const batch = newCounts().begin();

    const isWithin = [
      batch.addFacts(FLOOD, SHARE_BYTES / 4),
      batch.addFacts(FLOOD, 1),
      batch.addFacts(FLOOD, 0),
      batch.addFacts({ ...FLOOD, network: '203.0.114.0' }, SHARE_BYTES / 4),
      batch.addFacts({ ...FLOOD, receivedMs: 6 * HOUR_MS }, SHARE_BYTES / 4),
      batch.addFacts({ ...FLOOD, network: null }, SHARE_BYTES),
    ];

    expect(isWithin).toEqual([true, false, true, true, true, true]);
  });

  it('is above the share of feedback with an eighth of these bytes', () => {
    const batch = newCounts().begin();
    const isWithin = Array.from({ length: 23 }, () => batch.addFeedback(FLOOD));

    expect(isWithin.filter(Boolean)).toHaveLength(Math.floor(SHARE_BYTES / 8 / 5_500));
    expect(batch.addFeedback({ ...FLOOD, network: '203.0.114.0' })).toBe(true);
  });

  it('does not count a batch that was not written', () => {
    const senders = newCounts();

    added(senders, MAX_NEW_ISSUES, FLOOD, false);

    expect(added(senders, 1)).toBe(1);
  });

  it.each([null, '127.0.0.0', '0:0:0::'])('has no cap for %s', (network) => {
    const senders = newCounts();

    expect(added(senders, MAX_NEW_ISSUES + 1, { ...FLOOD, network })).toBe(MAX_NEW_ISSUES + 1);
  });
});

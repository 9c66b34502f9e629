import { HOUR_MS } from '../../time/iso.ts';
import { type Arrival, MAX_NEW_ISSUES, SenderCounts } from './sender-counts.ts';

const FLOOD = { network: '203.0.113.0', receivedMs: 5 * HOUR_MS };

/** Adds new issues in a batch, and returns how many were within the cap. */
function added(senders: SenderCounts, count: number, arrival: Arrival = FLOOD, isCommitted = true): number {
  const batch = senders.begin();
  const within = Array.from({ length: count }, () => batch.addIssue(arrival)).filter(Boolean).length;
  if (isCommitted) batch.apply();
  return within;
}

describe('SenderCounts', () => {
  it('admits a number of new issues of a network and hour, in any number of batches', () => {
    const senders = new SenderCounts();

    expect(added(senders, MAX_NEW_ISSUES - 1)).toBe(MAX_NEW_ISSUES - 1);
    expect(added(senders, 2)).toBe(1);
    expect(added(senders, 1)).toBe(0);
    expect(added(senders, 1, { ...FLOOD, network: '203.0.114.0' })).toBe(1);
    expect(added(senders, 1, { ...FLOOD, receivedMs: 6 * HOUR_MS })).toBe(1);
  });

  it('does not count a batch that was not written', () => {
    const senders = new SenderCounts();

    added(senders, MAX_NEW_ISSUES, FLOOD, false);

    expect(added(senders, 1)).toBe(1);
  });

  it.each([null, '127.0.0.0', '0:0:0::'])('has no cap for %s', (network) => {
    const senders = new SenderCounts();

    expect(added(senders, MAX_NEW_ISSUES + 1, { ...FLOOD, network })).toBe(MAX_NEW_ISSUES + 1);
  });
});

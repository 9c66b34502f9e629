import type { DeliveryState } from '@errata/backend/contract/delivery-api.ts';
import { counted, formatCount } from '../../ui/format/count.ts';
import type { Share } from '../../ui/charts/share-bars.tsx';
import { rejectedTotal } from '../shared/rejection-labels.ts';

/** Summary of the ledger. */
export interface Verdict {
  readonly tone: 'good' | 'bad' | 'quiet';
  readonly title: string;
  readonly text: string;
}

function partsOf(state: DeliveryState): string {
  const parts = [`${formatCount(state.delivered)} delivered`, `${formatCount(state.queued)} queued on disk`];
  if (state.deadLettered > 0) parts.push(`${formatCount(state.deadLettered)} in dead letters`);
  if (state.expired > 0) parts.push(`${formatCount(state.expired)} expired`);
  if (state.dropped > 0) parts.push(`${formatCount(state.dropped)} dropped`);
  if (state.erased > 0) parts.push(`${formatCount(state.erased)} erased on request`);
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

/** Summarises the ledger. `missing` is counted, not derived: below 0, envelopes were counted twice. */
export function verdictOf(state: DeliveryState): Verdict {
  // Rejected envelopes are in none of the other figures.
  const rejected = rejectedTotal(state.rejected);
  const rejectedText = `${counted(rejected, 'envelope was', 'envelopes were')} rejected in the last 24 hours.`;
  if (state.accepted === 0) {
    return {
      tone: 'quiet',
      title: 'No envelopes yet',
      text: rejected === 0 ? 'The first envelope appears here when it is written to disk.' : rejectedText,
    };
  }
  const accepted = `${counted(state.accepted, 'envelope', 'envelopes')} accepted: ${partsOf(state)}.`;
  if (state.missing > 0) {
    const title = `${counted(state.missing, 'envelope is', 'envelopes are')} missing`;
    return {
      tone: 'bad',
      title,
      text: `${accepted} ${counted(state.missing, 'envelope is', 'envelopes are')} unaccounted for. This is a bug: report it with the server log.`,
    };
  }
  if (state.missing < 0) {
    const title = `${counted(-state.missing, 'envelope was', 'envelopes were')} counted twice`;
    return {
      tone: 'bad',
      title,
      text: `${accepted} The counters disagree: ${counted(-state.missing, 'envelope was', 'envelopes were')} counted twice. This is a bug: report it.`,
    };
  }
  const notes = [accepted];
  if (state.expired + state.dropped > 0) notes.push('Dropped items are listed below with the reason.');
  else if (rejected > 0) notes.push(rejectedText);
  const paused = state.sinks.filter((sink) => sink.state === 'paused').length;
  if (paused > 0) notes.push(`${counted(paused, 'destination is', 'destinations are')} paused; see below.`);
  return { tone: 'good', title: 'All accepted events are safe', text: notes.join(' ') };
}

/** Returns the ledger as segments of one bar. */
export function sharesOf(state: DeliveryState): readonly Share[] {
  return [
    { name: 'Delivered', count: state.delivered, tone: 'good' },
    { name: 'Queued', count: state.queued, tone: 'accent' },
    { name: 'Dead letters', count: state.deadLettered, tone: 'warn' },
    { name: 'Expired', count: state.expired, tone: 'quiet' },
    { name: 'Dropped', count: state.dropped, tone: 'quiet' },
    { name: 'Erased', count: state.erased, tone: 'quiet' },
    { name: 'Missing', count: Math.max(0, state.missing), tone: 'bad' },
  ];
}

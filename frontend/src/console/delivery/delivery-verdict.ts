import type { DeliveryState } from '@errata/backend/contract/delivery-api.ts';
import { counted, formatCount } from '../../ui/format/count.ts';
import type { Share } from '../../ui/charts/share-bars.tsx';
import { refusedTotal } from '../shared/refusal-labels.ts';

/** What the ledger says about the promise that nothing is lost. */
export interface Verdict {
  readonly tone: 'good' | 'bad' | 'quiet';
  readonly title: string;
  readonly text: string;
}

function partsOf(state: DeliveryState): string {
  const parts = [
    `${formatCount(state.delivered)} ${state.delivered === 1 ? 'is' : 'are'} delivered`,
    `${formatCount(state.held)} ${state.held === 1 ? 'waits' : 'wait'} on the disk`,
  ];
  if (state.deadLettered > 0) parts.push(`${formatCount(state.deadLettered)} went to the dead letters`);
  if (state.expired > 0) parts.push(`${formatCount(state.expired)} grew too old`);
  if (state.shed > 0) parts.push(`${formatCount(state.shed)} had to be let go`);
  if (state.erased > 0) parts.push(`${formatCount(state.erased)} had to be forgotten, as somebody asked`);
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

/** One sentence people understand. `missing` is measured and not computed away: below 0 something was counted twice. */
export function verdictOf(state: DeliveryState): Verdict {
  // What never came in: it is in none of the other figures.
  const refused = refusedTotal(state.refused);
  const turnedAway = `In the last 24 hours ${counted(refused, 'envelope was', 'envelopes were')} turned away.`;
  if (state.accepted === 0) {
    return {
      tone: 'quiet',
      title: 'Nothing has come in yet',
      text: refused === 0 ? 'The first envelope stands here as soon as it is on the disk.' : turnedAway,
    };
  }
  const received = `Of ${counted(state.accepted, 'envelope', 'envelopes')} received, ${partsOf(state)}.`;
  if (state.missing > 0) {
    const title = `${counted(state.missing, 'envelope is', 'envelopes are')} missing`;
    return {
      tone: 'bad',
      title,
      text: `${received} The rest is nowhere. That must not happen: please report it with the log of this server.`,
    };
  }
  if (state.missing < 0) {
    const title = `${counted(-state.missing, 'envelope was', 'envelopes were')} counted twice`;
    return {
      tone: 'bad',
      title,
      text: `${received} That is more than came. Nothing is missing, but the books are wrong: please report it.`,
    };
  }
  if (state.expired + state.shed > 0) {
    return {
      tone: 'good',
      title: 'Everything is accounted for',
      text: `${received} What was let go is listed below with its reason.`,
    };
  }
  if (refused > 0) {
    return { tone: 'good', title: 'Nothing that was taken is lost', text: `${received} ${turnedAway}` };
  }
  return { tone: 'good', title: 'Nothing is lost', text: received };
}

/** The ledger as parts of one bar, in the order in which people ask for them. */
export function sharesOf(state: DeliveryState): readonly Share[] {
  return [
    { name: 'Delivered', count: state.delivered, tone: 'good' },
    { name: 'Waiting', count: state.held, tone: 'accent' },
    { name: 'Dead letters', count: state.deadLettered, tone: 'warn' },
    { name: 'Expired', count: state.expired, tone: 'quiet' },
    { name: 'Let go', count: state.shed, tone: 'quiet' },
    { name: 'Erased', count: state.erased, tone: 'quiet' },
    { name: 'Missing', count: Math.max(0, state.missing), tone: 'bad' },
  ];
}

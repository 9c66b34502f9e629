import type { DeliveryCause, DeliveryState } from '@errata/backend/contract/delivery-api.ts';
import { counted, formatCount } from '../../ui/format/count.ts';
import type { Share } from '../../ui/charts/share-bars.tsx';
import { absoluteTime, clockTime } from '../../ui/format/time-text.tsx';
import { placeOf, titleOf, unequalTitle } from '../shared/delivery-causes.ts';
import { capitalized, reasonLabel } from '../shared/reason-labels.ts';
import { rejectedPeriod, rejectedTotal } from '../shared/rejection-labels.ts';

/** Summary of the deliveries. */
export interface Verdict {
  readonly tone: 'good' | 'warn' | 'bad' | 'quiet';
  readonly title: string;
  /** Why events do not move; with the destination, where there are several causes. */
  readonly causes: readonly { readonly place: string | null; readonly text: string }[];
  readonly text: string;
}

function partsOf(state: DeliveryState): string {
  const parts = [`${formatCount(state.delivered)} delivered`, `${formatCount(state.queued)} queued on disk`];
  if (state.deadLettered > 0) parts.push(`${formatCount(state.deadLettered)} refused`);
  if (state.expired > 0) parts.push(`${formatCount(state.expired)} expired`);
  if (state.dropped > 0) parts.push(`${formatCount(state.dropped)} dropped`);
  if (state.erased > 0) parts.push(`${formatCount(state.erased)} erased on request`);
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

/** Returns the sentences of each kind. `at` formats a time. */
const SENTENCES: Readonly<
  Record<DeliveryCause['kind'], (cause: DeliveryCause, at: (time: string | null) => string) => string>
> = {
  paused: ({ since, reason }, at) => {
    const status = /^status_(\d{3})$/.exec(reason ?? '')?.[1];
    const response = status === undefined ? '' : ` (HTTP ${status})`;
    return `Rejects the DSN since ${at(since)}${response}. Check key and project.`;
  },
  failing: ({ since, until, reason }, at) => {
    const next = until === null ? '' : ` Next attempt ${at(until)}.`;
    return `${capitalized(reasonLabel(reason ?? ''))} since ${at(since)}.${next}`;
  },
  limited: ({ until }, at) => `Errors are limited until ${at(until)}.`,
  rejecting: ({ reason }) =>
    `New errors are answered 503: ${reason === 'disk_full' ? 'the disk' : 'the queue'} is full.`,
  stranded: ({ envelopes }) =>
    `${counted(envelopes ?? 0, 'envelope waits', 'envelopes wait')} for a DSN that is not in the settings, and ` +
    `${envelopes === 1 ? 'expires' : 'expire'}. Add it to ERRATA_TUNNEL_DSNS.`,
  unequal: ({ envelopes }) => {
    const missing = envelopes ?? 0;
    return missing > 0
      ? `${counted(missing, 'envelope is', 'envelopes are')} unaccounted for. This is a bug: report it with the server log.`
      : `The counters disagree: ${unequalTitle(missing)}. This is a bug: report it.`;
  },
};

/**
 * Explains a cause.
 *
 * @param errorsExpire time at which the oldest queued error expires; null without one.
 * @param nowMs ms since 1970.
 */
function sentenceOf(cause: DeliveryCause, errorsExpire: string | null, nowMs: number): string {
  const sentence = SENTENCES[cause.kind](cause, (time) =>
    time === null ? 'now' : clockTime(new Date(time), nowMs),
  );
  if (cause.kind !== 'failing' || cause.level !== 'action' || errorsExpire === null) return sentence;
  return `${sentence} The oldest error expires on ${absoluteTime(new Date(errorsExpire), nowMs)}.`;
}

const TONES = { moving: 'good', queued: 'warn', action: 'bad' } as const;

/** Returns where the envelopes of the ledger are, and what never came in. */
function textOf(state: DeliveryState): string {
  // Rejected envelopes are in none of the other figures.
  const rejected = rejectedTotal(state.rejected);
  const rejectedText = `${counted(rejected, 'envelope was', 'envelopes were')} rejected ${rejectedPeriod(state.rejectedSince)}.`;
  if (state.accepted === 0)
    return rejected === 0 ? 'The first envelope appears here when it is written to disk.' : rejectedText;
  const accepted = `${counted(state.accepted, 'envelope', 'envelopes')} accepted: ${partsOf(state)}.`;
  // Discarded envelopes are no dropped items.
  if (state.expired + state.dropped > 0 && state.droppedItems.length > 0)
    return `${accepted} Dropped items are listed below with the reason.`;
  return rejected > 0 ? `${accepted} ${rejectedText}` : accepted;
}

/** Puts the verdict of the server into words, before the figures of the ledger. @param nowMs ms since 1970. */
export function verdictOf(state: DeliveryState, nowMs: number): Verdict {
  const { verdict, errorsExpire } = state;
  const isQuiet = verdict.level === 'moving' && state.accepted === 0;
  return {
    tone: isQuiet ? 'quiet' : TONES[verdict.level],
    title: isQuiet ? 'No envelopes yet' : titleOf(verdict),
    causes: verdict.causes.map((cause) => ({
      place: verdict.causes.length === 1 ? null : placeOf(cause),
      text: sentenceOf(cause, errorsExpire, nowMs),
    })),
    text: textOf(state),
  };
}

/** Returns the ledger as segments of one bar. */
export function sharesOf(state: DeliveryState): readonly Share[] {
  return [
    { name: 'Delivered', count: state.delivered, tone: 'good' },
    { name: 'Queued', count: state.queued, tone: 'accent' },
    { name: 'Refused', count: state.deadLettered, tone: 'warn' },
    { name: 'Expired', count: state.expired, tone: 'quiet' },
    { name: 'Dropped', count: state.dropped, tone: 'quiet' },
    { name: 'Erased', count: state.erased, tone: 'quiet' },
    { name: 'Missing', count: Math.max(0, state.missing), tone: 'bad' },
  ];
}

import type { DeliveryCause, DeliveryVerdict } from '@errata/backend/contract/delivery-api.ts';
import { counted } from '../../ui/format/count.ts';
import { absoluteTime, clockTime } from '../../ui/format/time-text.tsx';
import { capitalized, reasonLabel } from './reason-labels.ts';

/** The texts of a verdict. Its rules are the server's (backend console/delivery/verdict.ts). */

/** Returns the destination of a cause; null for one of the queue itself. */
export function placeOf({ place, kind }: DeliveryCause): string | null {
  return place ?? (kind === 'failing' ? 'Local store' : null);
}

/** Returns the worst cause as a title. */
export function titleOf({ level, causes }: DeliveryVerdict): string {
  const [worst] = causes;
  if (worst === undefined) return 'All destinations accept events';
  const { kind, envelopes } = worst;
  if (kind === 'rejecting') return 'New errors are rejected';
  if (kind === 'unequal') return unequalTitle(envelopes ?? 0);
  const ofLevel = causes.filter((cause) => cause.level === level);
  const places = new Set(ofLevel.map((cause) => `${placeOf(cause)} ${cause.key}`)).size;
  const name = places === 1 ? placeOf(worst) : counted(places, 'destination', 'destinations');
  if (level === 'queued') return `Waiting for ${name}`;
  return places === 1 ? `${name} needs attention` : `${name} need attention`;
}

function unequalTitle(missing: number): string {
  return missing > 0
    ? counted(missing, 'envelope is missing', 'envelopes are missing')
    : counted(-missing, 'envelope was counted twice', 'envelopes were counted twice');
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
export function sentenceOf(cause: DeliveryCause, errorsExpire: string | null, nowMs: number): string {
  const sentence = SENTENCES[cause.kind](cause, (time) =>
    time === null ? 'now' : clockTime(new Date(time), nowMs),
  );
  if (cause.kind !== 'failing' || cause.level !== 'action' || errorsExpire === null) return sentence;
  return `${sentence} The oldest error expires on ${absoluteTime(new Date(errorsExpire), nowMs)}.`;
}

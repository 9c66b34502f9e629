import type { DeliveryCause, DeliveryVerdict } from '@errata/backend/contract/delivery-api.ts';
import { counted } from '../../ui/format/count.ts';

/** The titles of a verdict. Its rules are the server's (backend console/delivery/verdict.ts). */

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

/** Returns the title for counters that disagree. @param missing negative if they show too many. */
export function unequalTitle(missing: number): string {
  return missing > 0
    ? counted(missing, 'envelope is missing', 'envelopes are missing')
    : counted(-missing, 'envelope was counted twice', 'envelopes were counted twice');
}

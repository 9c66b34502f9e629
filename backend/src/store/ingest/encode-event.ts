import { scrubEvent } from '../../scrub/scrub-event.ts';
import { briefOf, encodeStoredEvent } from '../event/stored-event.ts';
import { factsOf, partsOfFacts } from '../event/event-facts.ts';
import { type Fields, fieldsAt, objectsIn } from '../event/fields.ts';
import { issueText } from '../event/issue-text.ts';
import type { NewEvent, ReadEvent } from './new-rows.ts';
import { type OwnApplication, withOwnFiles } from '../event/own-files.ts';
import type { ReadOptions } from './read-envelope.ts';
import type { PlannedEvent } from './plan-events.ts';

/** Exceptions of a brief event: what the scrubber keeps of a list. */
const MAX_EXCEPTIONS = 1_000;

/** An event could not be made ready: a bug of ours, in this one. */
export class EventFault extends Error {
  override readonly name = 'EventFault';
}

/**
 * Scrubs what is kept of an event.
 *
 * @throws EventFault
 */
export async function encodeEvent(planned: PlannedEvent, { own, spool }: ReadOptions): Promise<NewEvent> {
  try {
    const { read, isFull } = planned;
    const scrubbed = scrubEvent(isFull ? await wholeOf(read, own) : partsOf(read.body));
    return { ...newEvent(planned, fieldsAt(scrubbed)), spool };
  } catch (error) {
    throw new EventFault('an event could not be scrubbed', { cause: error });
  }
}

function newEvent(
  { read, projectId, issueKey, isFull }: PlannedEvent,
  event: Fields,
): Omit<NewEvent, 'spool'> {
  const facts = factsOf(event, read.kind, read.userAgent);
  const whole = { event, unmapped: read.unmapped, isBrief: false };
  return {
    projectId,
    issueKey,
    eventId: read.eventId,
    digestKey: read.digest.key,
    digest: read.digest.shown,
    kind: read.kind,
    receivedMs: read.receivedMs,
    occurredMs: read.occurredMs,
    related: read.related,
    ...facts,
    isBrief: !isFull,
    payload: encodeStoredEvent(isFull ? whole : briefOf(whole)),
    text: isFull ? () => issueText(whole, facts) : null,
  };
}

function wholeOf({ body, isOwn }: ReadEvent, own: OwnApplication): Promise<Fields> | Fields {
  return isOwn ? withOwnFiles(body, own) : body;
}

/**
 * The parts of an event of which a brief one is made, where they stood: the scrubber goes by the names around a
 * value, so that they come out as they would of the whole event.
 */
function partsOf(event: Fields): Fields {
  const { exception, tags } = event;
  const isList = Array.isArray(exception);
  const values = objectsIn(isList ? exception : fieldsAt(exception)['values']);
  const kept = values
    .slice(-MAX_EXCEPTIONS)
    .map(({ type, value, name, key }) => ({ type, value, name, key }));
  return { ...partsOfFacts(event), exception: isList ? kept : { values: kept }, tags };
}

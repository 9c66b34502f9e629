import { newScrubBudget, scrubEvent } from '../../scrub/scrub-event.ts';
import { briefOf, encodeStoredEvent } from '../event/stored-event.ts';
import { factsOf, partsOfFacts } from '../event/event-facts.ts';
import { tagsColumn } from '../event/event-tags.ts';
import { idsOf, partsOfIds } from '../event/event-ids.ts';
import { factFormsOf } from '../event/fact-forms.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';
import { exceptionsOf } from '../reading/exceptions.ts';
import { issueText } from '../event/issue-text.ts';
import { isConfirmedSource, originOf } from '../event/provenance.ts';
import type { EncodedEvent, ReadEvent } from './new-rows.ts';
import { type OwnApplication, withOwnFiles } from '../event/own-files.ts';
import type { ReadOptions } from './read-envelope.ts';
import type { PlannedEvent } from './plan-events.ts';

/** Exceptions of a brief event: the most that the scrubber leaves in a list. */
const MAX_EXCEPTIONS = 1_000;

/** An event could not be encoded: a bug that only this event triggers. */
export class EventFault extends Error {
  override readonly name = 'EventFault';
}

/**
 * Scrubs an event and encodes it for its row, in full or in brief.
 *
 * @param budget that of its envelope. @throws EventFault
 */
export async function encodeEvent(
  planned: PlannedEvent,
  { own, spool }: ReadOptions,
  budget = newScrubBudget(),
): Promise<EncodedEvent> {
  try {
    const { read, isFull } = planned;
    const scrubbed = scrubEvent(isFull ? await fullBodyOf(read, own) : briefBodyOf(read.body), budget);
    return { ...newEvent(planned, fieldsAt(scrubbed)), spool };
  } catch (error) {
    throw new EventFault('an event could not be scrubbed', { cause: error });
  }
}

function newEvent(
  { read, projectId, digest, issueKey, isFull, further }: PlannedEvent,
  event: Fields,
): Omit<EncodedEvent, 'spool'> {
  const { aliases, ...own } = factsOf(event, read.kind, read.userAgent);
  const facts = { ...own, title: further?.title ?? own.title };
  const stored = { event, unmapped: read.unmapped, isBrief: false };
  return {
    projectId,
    project: read.project,
    issueKey,
    eventId: read.eventId,
    digestKey: digest.key,
    digest: digest.shown,
    kind: read.kind,
    isReport: read.isReport,
    origin: originOf(read.source),
    isConfirmed: isConfirmedSource(read.source),
    receivedMs: read.receivedMs,
    occurredMs: read.occurredMs,
    related: read.related,
    ...facts,
    tags: tagsColumn(own.tags),
    facts: factFormsOf({ ...own, aliases }),
    ids: idsOf(event, own),
    isBrief: !isFull,
    payload: encodeStoredEvent(isFull ? stored : briefOf(stored)),
    text: isFull ? () => issueText(stored, facts) : null,
  };
}

function fullBodyOf({ body, source }: ReadEvent, own: OwnApplication): Promise<Fields> | Fields {
  return source === 'own' ? withOwnFiles(body, own) : body;
}

/**
 * Returns the parts of an event that a brief event needs, at their places: the scrubber decides by the names around a
 * value, so that the result equals that of scrubbing the full event.
 */
function briefBodyOf(event: Fields): Fields {
  const values = exceptionsOf(event)
    .slice(-MAX_EXCEPTIONS)
    .map(({ type, value, name, key, mechanism }) => ({ type, value, name, key, mechanism }));
  return { ...partsOfFacts(event), ...partsOfIds(event), exception: { values }, tags: event['tags'] };
}

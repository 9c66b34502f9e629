import { hash } from 'node:crypto';
import type { StoredEvent } from './stored-event.ts';
import { type EventFacts, exceptionsOf } from './event-facts.ts';
import { type Fields, fieldsAt, objectsIn } from '../../digest/fields.ts';
import { columnText } from './column-text.ts';

/**
 * What words an issue is found by: title, path, the types and values of the chain of exceptions, files and functions of
 * the application's own frames; one on each line, in small letters.
 */

/** Indexing it takes 0.4 ms for each new issue at this length, and grows with it. */
const MAX_TEXT_LENGTH = 1_024;
const MAX_VALUE_LENGTH = 300;
const MAX_NAME_LENGTH = 200;
const MAX_EXCEPTIONS = 6;
const MAX_FRAMES = 10;

/** @param stored scrubbed, and whole. */
export function issueText({ event, unmapped }: StoredEvent, { title, path }: EventFacts): string {
  const chain = exceptionsOf(event).toReversed().slice(0, MAX_EXCEPTIONS);
  const said = chain.map(({ type, value }) =>
    [columnText(type, MAX_NAME_LENGTH), columnText(value, MAX_VALUE_LENGTH)]
      .filter((part) => part !== null)
      .join(': '),
  );
  // Minified names are nobody's words.
  const places = unmapped === null ? chain.flatMap(ownPlaces) : [];
  const lines = new Set([title, path ?? '', ...said, ...places].filter((line) => line !== ''));
  return columnText([...lines].join('\n').toLowerCase(), MAX_TEXT_LENGTH) ?? '';
}

/** The same for two texts that differ in numbers and ids only: most events of an issue do. */
export function fingerprintOf(text: string): string {
  const words = text.split(/\s+/).map((word) => (/\d/.test(word) ? '#' : word));
  return hash('sha256', words.join(' '), 'hex').slice(0, 16);
}

function ownPlaces(exception: Fields): readonly string[] {
  return objectsIn(fieldsAt(exception, 'stacktrace')['frames'])
    .filter((frame) => frame['in_app'] === true)
    .toReversed()
    .slice(0, MAX_FRAMES)
    .map(({ filename, function: name }) =>
      [columnText(filename, MAX_NAME_LENGTH), columnText(name, MAX_NAME_LENGTH)]
        .filter((part) => part !== null)
        .join(' '),
    );
}

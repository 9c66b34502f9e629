import { hash } from 'node:crypto';
import type { StoredEvent } from './stored-event.ts';
import type { EventFacts } from './event-facts.ts';
import { searchText } from './fact-forms.ts';
import type { Fields } from '../../digest/fields.ts';
import { exceptionsOf, framesOf } from '../reading/exceptions.ts';
import { shownPlace } from '../reading/frame-place.ts';
import { columnText } from './column-text.ts';

/** Longest search text. Indexing it takes 0.4 ms for each new issue at this length, and grows with it. */
const MAX_TEXT_LENGTH = 1_024;
const MAX_VALUE_LENGTH = 300;
const MAX_NAME_LENGTH = 200;
const MAX_EXCEPTIONS = 6;
const MAX_FRAMES = 10;

/**
 * Returns the search text of an issue: title, path, the types and values of the chain of exceptions, files and functions
 * of the application's own frames; one on each line, see searchText.
 *
 * @param stored scrubbed, and in full.
 */
export function issueText(
  { event, unmapped }: StoredEvent,
  { title, path }: Pick<EventFacts, 'title' | 'path'>,
): string {
  const chain = exceptionsOf(event).toReversed().slice(0, MAX_EXCEPTIONS);
  const exceptions = chain.map(({ type, value }) =>
    [columnText(type, MAX_NAME_LENGTH), columnText(value, MAX_VALUE_LENGTH)]
      .filter((part) => part !== null)
      .join(': '),
  );
  // Users never search for minified names.
  const places = unmapped === null ? [...chain, event].flatMap(ownPlaces) : [];
  const lines = new Set([title, path ?? '', ...exceptions, ...places].filter((line) => line !== ''));
  return columnText(searchText([...lines].join('\n')), MAX_TEXT_LENGTH) ?? '';
}

/** Returns a hash that is the same for texts that differ only in numbers and ids, as most events of an issue do. */
export function fingerprintOf(text: string): string {
  const words = text.split(/\s+/).map((word) => (/\d/.test(word) ? '#' : word));
  return hash('sha256', words.join(' '), 'hex').slice(0, 16);
}

function ownPlaces(holder: Fields): readonly string[] {
  return framesOf(holder)
    .filter((frame) => frame['in_app'] === true)
    .toReversed()
    .slice(0, MAX_FRAMES)
    .map((frame) =>
      [columnText(shownPlace(frame), MAX_NAME_LENGTH), columnText(frame['function'], MAX_NAME_LENGTH)]
        .filter((part) => part !== null)
        .join(' '),
    );
}

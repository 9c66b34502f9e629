import type { Fields } from '../../digest/fields.ts';
import { idNamed } from '../../digest/id-text.ts';
import { parseStoredJson } from '../../scrub/bounded-json.ts';
import { FILTERED } from '../../scrub/sensitive-names.ts';
import { tagsOf } from '../reading/pairs.ts';
import { columnText } from './column-text.ts';

/**
 * The tags of an event that distinguish the events of an issue: those of a plan, a region, a feature. The column `tags` has
 * them, and each is a fact of the issue.
 */
export type Tag = readonly [name: string, value: string];

/** Most tags of an event, and their characters together: a usual event has about 50 of them. */
const MAX_TAGS = 8;
const MAX_LENGTH = 256;
/** Longest name in Sentry. A longer value is cut, so that an event with it is not one without the tag. */
const MAX_NAME_LENGTH = 32;
const MAX_VALUE_LENGTH = 64;

/** Ends the name in a fact. */
const AFTER_NAME = ':';
/** Facts with a column or a search of their own, and Errata's own tags. */
const OTHER_FACT =
  /^(?:environment|release|server_name|url|level|errata\..*|user(?:[._](?:id|ip|ip_address|email|username|name))?)$/i;
/** An id is another one in each event: a word of 16 characters with a digit, or six digits. */
const ID = /(?=[\w-]*\d)[\w-]{16}|\d{6}/;

/** Returns the tags of a scrubbed event that are stored in its column, in their order. */
export function columnTags(event: Fields): readonly Tag[] {
  const tags: Tag[] = [];
  let length = 0;
  for (const [sent, text] of tagsOf(event)) {
    const name = nameOf(sent);
    const value = name === null ? null : columnText(text, MAX_VALUE_LENGTH);
    if (name === null || value === null || value === FILTERED || ID.test(value)) continue;
    length += name.length + value.length;
    if (length > MAX_LENGTH || tags.push([name, value]) === MAX_TAGS) break;
  }
  return tags;
}

function nameOf(sent: string): string | null {
  if (sent.length > MAX_NAME_LENGTH || sent.includes(AFTER_NAME)) return null;
  return OTHER_FACT.test(sent) || idNamed(sent) !== null ? null : columnText(sent, MAX_NAME_LENGTH);
}

/** Returns the tags for the column; null for none. */
export function tagsColumn(tags: readonly Tag[]): string | null {
  return tags.length === 0 ? null : JSON.stringify(tags);
}

/** Returns the tags in the column; none for the events of an earlier version. */
export function tagsIn(column: string | null): readonly Tag[] {
  const tags: unknown = column === null ? [] : parseStoredJson(column);
  return Array.isArray(tags) ? tags.filter(isTag) : [];
}

function isTag(value: unknown): value is Tag {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}

/** Returns the text of a tag as a fact and a search have it: `plan:gold`. */
export function tagText([name, value]: Tag): string {
  return name + AFTER_NAME + value;
}

/** Returns the tag that a text such as `plan:gold` names, its value cut as that of the column; null for none. */
export function tagNamed(text: string): Tag | null {
  const end = text.indexOf(AFTER_NAME);
  const value = columnText(text.slice(end + 1), MAX_VALUE_LENGTH);
  return end < 1 || value === null ? null : [text.slice(0, end), value];
}

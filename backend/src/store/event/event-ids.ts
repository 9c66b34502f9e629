import { hash } from 'node:crypto';
import { codesIn, idText, idNamed, isCode, namedId, type NamedKind, tagId } from '../../digest/id-text.ts';
import { type Fields, fieldsAt, isFields, scalarText } from '../../digest/fields.ts';
import { headersOf, pairsOf, tagsOf } from '../reading/pairs.ts';
import { fingerprintIn, relatedReference } from './event-digest.ts';
import type { EventFacts } from './event-facts.ts';
import { placeForms, placesOf } from './fact-forms.ts';

/**
 * The ids of an event, by which people outside of Errata know it: those of its trace and request, its user and place, and
 * all codes that its application has put into it. Beside them the reference of the server's event that a browser's names. The
 * table event_ids has a hash of each.
 */

/** Bytes of a hash: among a million events with 20 ids, one of two million absent ids hits by chance. */
export const ID_BYTES = 6;
/** Most ids of an event: the row is read from end to end by each search. */
const MAX_IDS = 32;
/** Ids of a request or a trace in headers, tags and extras. */
const MAX_NAMED = 4;
/** A shorter one is mostly a counter, which each process begins at 1: `req-1` of Fastify. */
const MIN_JOINED_LENGTH = 8;
const MAX_TAGS = 12;
/** Codes of the fingerprint and of the extras. */
const MAX_CODES = 8;
const MAX_WORDS = 6;
/** An id of zeros is that of no trace (https://www.w3.org/TR/trace-context/#trace-id). */
const NO_ID = /^[0-]*$/;
/** Members of an object or a list in an extra that are read. */
const MAX_MEMBERS = 16;
/** Errata's own: digest and reference have an index each. */
const OWN_TAG = 'errata.';

type Tags = readonly (readonly [name: string, value: string])[];
/** A name with a text; an empty one for no scalar. */
type Extra = readonly [name: string, text: string];
type Facts = Pick<EventFacts, 'title' | 'release' | 'environment' | 'path'>;

/** Returns the hashes of the ids of a scrubbed event, one behind the other. */
export function idsOf(event: Fields, facts: Facts): Uint8Array {
  return Buffer.from(textsOf(event, facts).map(hashOf).join(''), 'hex');
}

/** Returns the hash of an id in the form of {@link textsOf}, in hex: as bytes it takes three times as long. */
export function hashOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 2 * ID_BYTES);
}

/** Returns the hashes of the ids of the request or the trace of an event, by which it is joined with others. */
export function joinHashesOf(event: Fields, kind: NamedKind): readonly string[] {
  const tags = [...tagsOf(event)];
  const ids = kind === 'request_id' ? requestsOf(event, tags) : tracesOf(event, tags);
  return hashesOf(ids.filter((id) => id.length >= MIN_JOINED_LENGTH));
}

/** Returns the hash by which a browser's event names the server's event with a reference. */
export function referenceHashOf(reference: string): string {
  return hashOf(`reference:${reference.toLowerCase()}`);
}

/** Returns the hashes of ids in the form of {@link hashOf}; of blank ids none. */
export function hashesOf(ids: readonly string[]): readonly string[] {
  return idTexts(ids).map(hashOf);
}

/** Returns the texts of ids, each once. */
function idTexts(ids: readonly string[]): readonly string[] {
  const texts: string[] = [];
  for (const id of ids) {
    const text = idText(id);
    if (text !== null && !texts.includes(text)) texts.push(text);
  }
  return texts;
}

/** Returns the texts of the ids that are hashed, the most certain first. */
export function textsOf(event: Fields, facts: Facts): readonly string[] {
  const named = tagsOf(event);
  const tags = [...named];
  const found = [
    // The first one: see beginsWith.
    ...labelled('reference', [relatedReference(event, named)]),
    ...tracesOf(event, tags),
    ...someIds([fieldsAt(event, 'contexts', 'replay')['replay_id']]),
    ...requestsOf(event, tags),
    ...usersOf(event),
    ...placesIn(event, facts),
    ...codesOf(event, tags, facts.title),
  ];
  return idTexts(found).slice(0, MAX_IDS);
}

/** Returns the members that {@link textsOf} reads beside tags and the parts of the facts, of long lists only the codes. */
export function partsOfIds(event: Fields): Fields {
  const { server_name } = event;
  const { trace_id } = fieldsAt(event, 'contexts', 'trace');
  const { replay_id } = fieldsAt(event, 'contexts', 'replay');
  const isId = ([name, text]: Extra): boolean => idNamed(name) !== null || isCode(text);
  const extra = pairsOf(event['extra']).filter(([name, value]) => membersOf(name, value).some(isId));
  const read = extra.slice(0, 2 * MAX_NAMED + MAX_CODES).map(([name, value]) => [name, beginningOf(value)]);
  return {
    server_name,
    // The names around a value decide what is scrubbed.
    extra: isFields(event['extra']) ? Object.fromEntries(read) : read,
    fingerprint: fingerprintIn(event).filter(isCode).slice(0, MAX_CODES),
    contexts: { trace: { trace_id }, replay: { replay_id } },
  };
}

function tracesOf(event: Fields, tags: Tags): readonly string[] {
  return [
    ...someIds([fieldsAt(event, 'contexts', 'trace')['trace_id']]),
    ...namedIds(event, tags, 'trace_id'),
  ];
}

function requestsOf(event: Fields, tags: Tags): readonly string[] {
  return namedIds(event, tags, 'request_id');
}

/** Returns the ids of a kind in headers, tags and extras. */
function namedIds(event: Fields, tags: Tags, kind: NamedKind): readonly string[] {
  const named = [headersOf(event), tags, extrasOf(event)].flatMap((some) =>
    some.filter(([name]) => idNamed(name) === kind),
  );
  return someIds(named.map(([, value]) => namedId(scalarText(value) ?? ''))).slice(0, MAX_NAMED);
}

function someIds(values: readonly unknown[]): readonly string[] {
  return values.map((id) => scalarText(id) ?? '').filter((id) => !NO_ID.test(id));
}

function usersOf(event: Fields): readonly string[] {
  const { id, email, username, name } = fieldsAt(event, 'user');
  return labelled('user', [id, email, username, name].map(scalarText));
}

function placesIn(event: Fields, { path, release, environment }: Facts): readonly string[] {
  return [
    ...labelled('url', path === null ? [] : [pageOf(path)]),
    ...labelled('release', [release]),
    ...labelled('environment', [environment]),
    ...labelled('server', [scalarText(event['server_name'])]),
  ];
}

/** Returns the place that a URL names for a search: its route, else its path. */
export function pageOf(path: string): string | null {
  return placeForms(placesOf(path).at(-1) ?? path)[0] ?? null;
}

/** The codes of the application: in tags, which it has named for a search, then in its fingerprint, extras and message. */
function codesOf(event: Fields, tags: Tags, title: string): readonly string[] {
  const named = tags.filter(([name, value]) => !name.startsWith(OWN_TAG) && value !== '');
  const codes = [...fingerprintIn(event), ...extrasOf(event).map(([, text]) => text)].filter(isCode);
  return [
    ...named.slice(0, MAX_TAGS).map(([name, value]) => tagId(name, value)),
    ...codes.slice(0, MAX_CODES),
    ...codesIn(title).slice(0, MAX_WORDS),
  ];
}

/** Returns the extras, and the members of objects and lists in them. */
function extrasOf(event: Fields): readonly Extra[] {
  return pairsOf(event['extra']).flatMap(([name, value]) => membersOf(name, value));
}

function membersOf(name: string, value: unknown): readonly Extra[] {
  const part = beginningOf(value);
  const members: readonly (readonly [string, unknown])[] = isFields(part)
    ? Object.entries(part)
    : (Array.isArray(part) ? part : [part]).map((entry: unknown) => [name, entry]);
  return members.map(([member, inner]) => [member, scalarText(inner) ?? '']);
}

/** Returns the beginning of an object or a list, without those in it. */
function beginningOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map(scalarOrNull);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_MEMBERS)
      .map(([name, inner]) => [name, scalarOrNull(inner)]),
  );
}

function scalarOrNull(value: unknown): unknown {
  return scalarText(value) === null ? null : value;
}

function labelled(name: string, values: readonly (string | null)[]): readonly string[] {
  const texts = values.map((value) => value?.trim() ?? '');
  return texts.filter((text) => text !== '').map((text) => `${name}:${text}`);
}

import type { FactKind } from '../db/schema.ts';
import { columnText } from './column-text.ts';
import { type Tag, tagNamed, tagText } from './event-tags.ts';

/**
 * The forms of the values by which filters such as `release:`, `user:` and `url:` find issues. Ingest writes a fact in the form, and cut to
 * the length, in which a search reads its filter.
 */

export const RELEASE_FACT = 1 satisfies FactKind;
export const PERSON_FACT = 2 satisfies FactKind;
export const PATH_FACT = 3 satisfies FactKind;
/** A further name of a user, see {@link aliasFact}. Of a kind of its own, because an issue counts its users by the first name. */
export const ALIAS_FACT = 4 satisfies FactKind;
export const HOST_FACT = 5 satisfies FactKind;
/** The version in the name of a release, with its build: `1.4.2+77` of `shop@1.4.2+77`. */
export const VERSION_FACT = 6 satisfies FactKind;
export const ENVIRONMENT_FACT = 7 satisfies FactKind;
export const SERVER_FACT = 8 satisfies FactKind;
/** With the version and the system: `chrome 156 on linux`. */
export const BROWSER_FACT = 9 satisfies FactKind;
/** `plan:gold`. */
export const TAG_FACT = 10 satisfies FactKind;

/** Filters whose facts are in the form of {@link fieldForm}. */
const FIELD_FACTS: ReadonlyMap<string, FactKind> = new Map([
  ['environment', ENVIRONMENT_FACT],
  ['server', SERVER_FACT],
  ['browser', BROWSER_FACT],
  ['tag', TAG_FACT],
]);

/** Sentry's own limit for releases. */
export const MAX_NAME_LENGTH = 250;
export const MAX_PATH_LENGTH = 500;
/** That of DNS, with a port. */
const MAX_HOST_LENGTH = 260;

/** A release names its package before the version. The `@` of an npm scope begins the package. */
const VERSION = /^@?[^@]+@(.+)$/s;
/** A host with its path, as an address bar shows them without `https://`. */
const HOST = /^(?=localhost|[^\s/?#:@]*(?:\.|:\d))[^\s/?#:@]+(?::\d+)?\//i;
/** A host without a path, with or without a scheme. */
const HOST_ALONE =
  /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/[^\s/?#]+|(?=localhost(?:$|:)|[^\s/?#:@]*(?:\.|:\d))[^\s/?#:@]+(?::\d+)?)$/i;
/** A path, a route or a URL. A scheme, a query or any other fragment alone names no place. */
const PLACE = /^(?:(?:#!?)?\/|[a-z][a-z\d+.-]*:\/*[^/])/i;
/** The host of a URL that has none. */
const NO_HOST = 'host.invalid';
/** They may be left out, and a filter may have no scheme that says which one. */
const DEFAULT_PORT = /:(?:80|443)$/;
/** The route of a client that routes by the fragment. What follows it may be a secret: `#/return?token=…`. */
const ROUTE = /^#!?(\/[^?#&=]*)/;
/** Sorts behind every character, and so ends the range of texts with a prefix. */
const LAST_CHARACTER = '\u{10ffff}';

export type Fact = readonly [kind: FactKind, value: string];

/** The values of an event whose facts have the form of {@link fieldForm}. */
export interface FieldValues {
  readonly environment: string | null;
  readonly server: string | null;
  readonly browser: string | null;
  readonly tags: readonly Tag[];
}

/** The values of an event that become facts; see EventFacts. */
interface FactValues extends FieldValues {
  readonly release: string | null;
  readonly person: string | null;
  readonly aliases: readonly string[];
  readonly host: string | null;
  readonly path: string | null;
}

/** Host and path of a URL, in the form of a fact; null where it has none. */
interface Place {
  /** With its port, where that is no default one. */
  readonly host: string | null;
  /** Behind it the route in its fragment: `/shop/#/orders/7`. */
  readonly path: string | null;
}

/** The facts that a filter finds: those with one value, or with the values of a range. */
export interface FactMatch {
  readonly kind: FactKind;
  readonly from: string;
  /** End of the range, exclusive; null where only `from` itself matches. */
  readonly to: string | null;
}

/** An issue or an event must have one fact of each list. */
export type FactLists = readonly (readonly FactMatch[])[];

/** Returns the end of the range of texts that begin with a prefix, exclusive. */
export function afterPrefix(prefix: string): string {
  return prefix + LAST_CHARACTER;
}

/** Makes a text for a search: lower case, and composed, because keyboards and file systems write `ü` in two ways. */
export function searchText(text: string): string {
  return text.toLowerCase().normalize('NFC');
}

/** Makes a release or a name of a user for a column: composed, and cut. */
export function nameText(value: unknown): string | null {
  return columnText(columnText(value, 4 * MAX_NAME_LENGTH)?.normalize('NFC'), MAX_NAME_LENGTH);
}

/** Normalises a user for a fact: names are written with capitals or without. An erasure compares them alike, see sameName. */
export function personFact(person: string): string {
  return lineOf(person).toLowerCase();
}

/** Returns the form of a user as facts have it, and that of an earlier version, which kept the capitals. */
export function personForms(person: string): readonly string[] {
  return [...new Set([personFact(person), lineOf(person)])];
}

/** Normalises an environment, a server, a browser or a tag for a fact; null for none. */
export function fieldForm(value: string): string | null {
  return columnText(searchText(value), MAX_NAME_LENGTH);
}

function lineOf(name: string): string {
  return name.replaceAll('\n', ' ');
}

/** Returns the fact of a further name. It ends with the user's first name, so that an erasure of that one finds it. */
function aliasFact(alias: string, person: string): string {
  return `${personFact(alias)}\n${personFact(person)}`;
}

/** Returns the place of a URL. Its query is left out: it may be a secret, and differs between events. */
export function placeIn(url: string): Place {
  const parsed = URL.parse(HOST.test(url) ? `http://${url}` : url, `http://${NO_HOST}`);
  if (parsed === null) return { host: null, path: null };
  const [, route] = ROUTE.exec(parsed.hash) ?? [];
  return {
    host: parsed.host === NO_HOST ? null : columnText(hostFact(parsed.host), MAX_HOST_LENGTH),
    path: columnText(parsed.pathname + (route === undefined ? '' : `#${route}`), MAX_PATH_LENGTH),
  };
}

function hostFact(host: string): string {
  return host.toLowerCase().replace(DEFAULT_PORT, '');
}

/** Returns the places that contain a place: its path, and with the route behind it, if it has one. */
export function placesOf(place: string): readonly string[] {
  const at = place.indexOf('#/');
  return at > 0 ? [place.slice(0, at), place] : [place];
}

/**
 * Returns the forms of the last part of a place, its route or its path: decoded, as facts have it, and as it is, as those of
 * an earlier version.
 */
export function placeForms(place: string): readonly string[] {
  const part = place.slice(Math.max(0, place.indexOf('#/')));
  return [...new Set([decoded(part), part])].filter((form) => form !== '');
}

/** Returns the facts of an event, by which searches find its issue. */
export function factFormsOf({
  release,
  person,
  aliases,
  host,
  path,
  ...fields
}: FactValues): readonly Fact[] {
  const facts: Fact[] = [];
  const [, version] = VERSION.exec(release ?? '') ?? [];
  if (release !== null) facts.push([RELEASE_FACT, release]);
  if (version !== undefined) facts.push([VERSION_FACT, version]);
  if (person !== null) facts.push([PERSON_FACT, personFact(person)]);
  for (const alias of aliases) facts.push([ALIAS_FACT, aliasFact(alias, person ?? '')]);
  if (host !== null) facts.push([HOST_FACT, host]);
  for (const place of path === null ? [] : placesOf(path))
    for (const form of placeForms(place).slice(0, 1)) facts.push([PATH_FACT, form]);
  return [...facts, ...fieldFactsOf(fields)];
}

/** Returns those of its facts that have the form of {@link fieldForm}. */
export function fieldFactsOf({ environment, server, browser, tags }: FieldValues): readonly Fact[] {
  const facts: Fact[] = [];
  const add = (kind: FactKind, value: string | null): void => {
    const form = value === null ? null : fieldForm(value);
    if (form !== null) facts.push([kind, form]);
  };
  add(ENVIRONMENT_FACT, environment);
  add(SERVER_FACT, server);
  add(BROWSER_FACT, browser);
  for (const tag of tags) add(TAG_FACT, tagText(tag));
  return facts;
}

/** Decodes the escapes that are UTF-8. Others stay, such as those of Latin-1. */
function decoded(path: string): string {
  const text = path.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes.toUpperCase();
    }
  });
  return columnText(text.normalize('NFC'), MAX_PATH_LENGTH) ?? '';
}

/** Returns the facts that a filter finds: an issue must have one of each list. One without any where the value names nothing. */
export function matchesOf(filter: string, value: string): FactLists {
  if (filter === 'url') return matchesOfPlace(value.trim());
  const field = FIELD_FACTS.get(filter);
  if (field !== undefined) return [matchesOfField(field, value)];
  const name = nameText(value);
  if (name === null) return [[]];
  if (filter === 'release') return [matchesOfRelease(name)];
  const forms = personForms(name).flatMap((form): FactMatch[] => [
    { kind: PERSON_FACT, from: form, to: null },
    { kind: ALIAS_FACT, from: `${form}\n`, to: `${form}\n${LAST_CHARACTER}` },
  ]);
  return [forms];
}

/**
 * A release matches by its name or by its version alone, each also with a build behind it. `+` follows no other part of a
 * version: `1.4.2` matches neither `1.4.20` nor `1.4.2-rc.1`.
 */
function matchesOfRelease(name: string): readonly FactMatch[] {
  return ([RELEASE_FACT, VERSION_FACT] as const).flatMap((kind): FactMatch[] => [
    { kind, from: name, to: null },
    { kind, from: `${name}+`, to: `${name},` },
  ]);
}

/** A browser matches all names that begin with it: with any version, on any system. */
function matchesOfField(kind: FactKind, value: string): readonly FactMatch[] {
  const tag = kind === TAG_FACT ? tagNamed(value) : null;
  const from = kind !== TAG_FACT || tag !== null ? fieldForm(tag === null ? value : tagText(tag)) : null;
  if (from === null) return [];
  return [{ kind, from, to: kind === BROWSER_FACT ? from + LAST_CHARACTER : null }];
}

/** A URL matches the issues with its host, if it has one, and with its path. A host alone matches all its pages. */
function matchesOfPlace(url: string): FactLists {
  const isHost = HOST_ALONE.test(url);
  if (!isHost && !PLACE.test(url) && !HOST.test(url)) return [[]];
  const { host, path } = placeIn(isHost && !url.includes('//') ? `//${url}` : url);
  if (isHost) return [matchesOfHost(host)];
  return host === null ? [matchesOfPath(path)] : [matchesOfHost(host), matchesOfPath(path)];
}

/** A host without a port matches it with any port. */
function matchesOfHost(host: string | null): readonly FactMatch[] {
  if (host === null) return [];
  const itself: FactMatch = { kind: HOST_FACT, from: host, to: null };
  return /:\d+$/.test(host) ? [itself] : [itself, { kind: HOST_FACT, from: `${host}:`, to: `${host};` }];
}

/**
 * A path matches all that begin with it, and also a route, which users copy without the `#`. The first page, `/`, matches
 * itself only: all paths begin with it.
 */
function matchesOfPath(path: string | null): readonly FactMatch[] {
  const forms = placeForms(path ?? '');
  const routes = forms.filter((form) => form.startsWith('/')).map((form) => `#${form}`);
  return [...forms, ...routes].map((from) => ({
    kind: PATH_FACT,
    from,
    to: /^#?\/$/.test(from) ? null : from + LAST_CHARACTER,
  }));
}

/**
 * Returns the facts of a search in classes, the closest first: with its very path, with the paths below it, and with all that
 * begin with it. A search without a path is one class.
 */
export function placeClasses(facts: FactLists): readonly FactLists[] {
  const isBeginning = ({ kind, to }: FactMatch): boolean => kind === PATH_FACT && to !== null;
  if (!facts.flat().some(isBeginning)) return [facts];
  const closer = (narrow: (match: FactMatch) => FactMatch): FactLists =>
    facts.map((some) => some.map((match) => (isBeginning(match) ? narrow(match) : match)));
  return [
    closer((match) => ({ ...match, to: null })),
    closer((match) => {
      const from = match.from.replace(/\/?$/, '/');
      return { ...match, from, to: from + LAST_CHARACTER };
    }),
    facts,
  ];
}

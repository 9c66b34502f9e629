import { useSearchParams } from 'react-router';

/** `name:"quoted"`, also with the name of a tag, and all else up to a blank, as the server reads them. */
const TERM = /[-!]?(?:[a-z]+:)?(?:[^\s":]+:)?"[^"]*"|\S+/gi;
const NEGATION = /^[-!]/;
const FIELD = /^(?:tag:[^:]*|[^:]*):/;

/** What has any case: only the name of a field whose values the server compares with theirs (`surelyHas` in fact-columns.ts), else all. */
const ANY_CASE = /^(?:release|url):|^.*$/is;

/** Quotation marks behind a name only hold a value together. */
function keyOf(term: string): string {
  return term.replaceAll(/(?<=:)"|"$/g, '').replace(ANY_CASE, (part) => part.toLowerCase());
}

/** Returns whether a search wants a term, excludes it, or does not have it. */
export function stateOf(q: string, term: string): 'only' | 'not' | null {
  const own = q.match(TERM)?.find((part) => keyOf(part.replace(NEGATION, '')) === keyOf(term));
  if (own === undefined) return null;
  return NEGATION.test(own) ? 'not' : 'only';
}

/** Returns a search that wants the term, in place of another value of its field; then that excludes it; then without it. */
export function toggled(q: string, term: string): string {
  const state = stateOf(q, term);
  const field = FIELD.exec(keyOf(term))?.[0];
  const others = (q.match(TERM) ?? []).filter(
    (part) =>
      keyOf(part.replace(NEGATION, '')) !== keyOf(term) &&
      (state !== null || FIELD.exec(keyOf(part))?.[0] !== field),
  );
  const own = { none: [term], only: [`-${term}`], not: [] }[state ?? 'none'];
  return [...others, ...own].join(' ');
}

/** Returns the search that filters the events, and the ID of the event that is shown: both are in the address. */
export function useEventFilter(): { readonly q: string; readonly eventId: string | null } {
  const [search] = useSearchParams();
  return { q: (search.get('q') ?? '').trim(), eventId: search.get('event') };
}

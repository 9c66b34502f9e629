import type { FindExamples, ReadText } from '../../contract/find-api.ts';
import { referenceOf } from '../../digest/crockford.ts';
import { fieldsAt } from '../../digest/fields.ts';
import type { QueryContext } from '../db/query-context.ts';
import { provenanceOf } from '../event/provenance.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import { tagsOf } from '../reading/pairs.ts';

/** Newest events of each kind that are read: not each has a user. */
const EVENTS_READ = 20;
/** Newest events among which a confirmed one is looked for. */
const EVENTS_SEARCHED = 1_000;

/** Returns texts of the newest events that find finds, one of each kind. Those of a stranger only where no confirmed event has any. */
export async function findExamples({ db }: QueryContext): Promise<FindExamples> {
  const all = await db
    .selectFrom('event')
    .select(['id', 'origin'])
    .orderBy('id', 'desc')
    .limit(EVENTS_SEARCHED)
    .execute();
  const newestOf = (isConfirmed: boolean) =>
    all.filter(({ origin }) => provenanceOf(origin).isConfirmed === isConfirmed).slice(0, EVENTS_READ);
  const ids = [...newestOf(true), ...newestOf(false)].map(({ id }) => id);
  if (ids.length === 0) return { examples: [] };
  const found = await db
    .selectFrom('event')
    .innerJoin('issue', 'issue.id', 'event.issue_id')
    .select(['event.id', 'issue.digest', 'event.event_id', 'event.payload', 'event.person', 'event.path'])
    .select(['event.release', 'event.environment', 'event.server'])
    .where('event.id', 'in', ids)
    .execute();
  const rows = found.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  const [newest] = rows;
  if (newest === undefined) return { examples: [] };
  const { event } = decodeStoredEvent(newest.payload);
  const inNewest = (name: 'person' | 'path' | 'release' | 'environment' | 'server'): string | null =>
    rows.find((row) => row[name] !== null)?.[name] ?? null;
  const examples: readonly (readonly [ReadText['as'], unknown])[] = [
    ['digest', newest.digest],
    ['reference', referenceOf(newest.event_id)],
    ['event_id', newest.event_id],
    ['trace_id', fieldsAt(event, 'contexts', 'trace')['trace_id']],
    ['request_id', tagsOf(event).get('request_id')],
    ['user', inNewest('person')],
    ['url', inNewest('path')],
    ['release', inNewest('release')],
    ['environment', inNewest('environment')],
    ['server', inNewest('server')],
  ];
  return { examples: examples.flatMap(([as, value]) => (isText(value) ? [{ as, value }] : [])) };
}

/** A quoted filter ends at a quotation mark. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('"');
}

import type { FindExamples, ReadText } from '../../contract/find-api.ts';
import { referenceOf } from '../../digest/crockford.ts';
import { fieldsAt } from '../../digest/fields.ts';
import type { QueryContext } from '../db/query-context.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import { tagsOf } from '../reading/pairs.ts';

/** Newest events that are read: not each has a user. */
const EVENTS_READ = 20;

/** Returns texts of the newest events that find finds, one of each kind. */
export async function findExamples({ db }: QueryContext): Promise<FindExamples> {
  const rows = await db
    .selectFrom('event')
    .innerJoin('issue', 'issue.id', 'event.issue_id')
    .select(['issue.digest', 'event.event_id', 'event.payload', 'event.person', 'event.path'])
    .select(['event.release', 'event.environment', 'event.server'])
    .orderBy('event.id', 'desc')
    .limit(EVENTS_READ)
    .execute();
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

import { type Selectable, sql } from 'kysely';
import { projectName } from '../../contract/project-name.ts';
import type { IssueEvent, QueuedBody, WebhookIssue } from '../../contract/webhook-api.ts';
import { type Fields, scalarText } from '../../digest/fields.ts';
import { skeletonOf } from '../../digest/skeleton.ts';
import { isoTime } from '../../time/iso.ts';
import type { StoreTransaction, StoreTables } from '../db/schema.ts';
import { columnText } from '../event/column-text.ts';
import { factsOf } from '../event/event-facts.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import { framesOf, namingException } from '../reading/exceptions.ts';
import { shownPlace } from '../reading/frame-place.ts';
import { messageOf } from '../reading/message.ts';
import { type IssueRow, nameOf, selectIssues } from '../issues/read-issues.ts';

/** Issues that a summary names; the console lists all of them. */
const MAX_NAMED = 20;
const MAX_SOURCE_LENGTH = 200;
/** Name of an error, with its package. */
const CLASS = /^[\p{L}_$][\p{L}\p{Nd}_$.]*$/u;

const ADDRESS = /^[a-z][a-z\d+.-]+:/i;
const SCRIPT = /^[\w.-]+\.[cm]?[jt]sx?$/;

interface NewestRow extends IssueRow {
  readonly newest_payload: Uint8Array | null;
}

export type AlertRow = Selectable<StoreTables['alert']>;

/** What a message reports: one issue, or with a summary the number of alerts of each kind, too. */
interface Reported {
  readonly ids: readonly number[];
  readonly counts: Readonly<Record<IssueEvent, number>>;
}

/** Renders the messages of leased alerts from the issues as they are now, by the id of the row. */
export async function renderBodies(
  trx: StoreTransaction,
  rows: readonly AlertRow[],
  publicUrl: string | null,
): Promise<ReadonlyMap<number, QueuedBody>> {
  const reported = new Map<number, Reported>();
  for (const row of rows) reported.set(row.id, await reportedBy(trx, row));
  const ids = [...reported.values()].flatMap((each) => each.ids);
  const issues = await issuesById(trx, ids, publicUrl);
  const bodies = new Map<number, QueuedBody>();
  for (const row of rows) {
    const body = bodyOf(row, reported.get(row.id) ?? NOTHING, issues, publicUrl);
    if (body !== null) bodies.set(row.id, body);
  }
  return bodies;
}

function bodyOf(
  { event: type, created_ms: createdMs }: AlertRow,
  { ids, counts }: Reported,
  byId: ReadonlyMap<number, WebhookIssue>,
  publicUrl: string | null,
): QueuedBody | null {
  const timestamp = isoTime(createdMs);
  const issues = ids.flatMap((id) => byId.get(id) ?? []);
  if (type !== 'issues.summary') {
    const [data] = issues;
    return data === undefined ? null : { type, timestamp, data };
  }
  const link = publicUrl === null ? null : `${publicUrl}/console/issues`;
  return { type, timestamp, data: { counts, issues, link } };
}

const NOTHING: Reported = { ids: [], counts: { 'issue.new': 0, 'issue.regressed': 0, 'issue.frequent': 0 } };

async function reportedBy(
  trx: StoreTransaction,
  { id, event, issue_id: issueId }: AlertRow,
): Promise<Reported> {
  if (event !== 'issues.summary') return { ...NOTHING, ids: issueId === null ? [] : [issueId] };
  const behind = trx.selectFrom('alert').where('summary_id', '=', id);
  const counts = await behind
    .select((row) => ['event', row.fn.countAll<number>().as('alerts')])
    .groupBy('event')
    .execute();
  const first = await behind
    .select((row) => ['issue_id', row.fn.min('id').as('first')])
    .where('issue_id', 'is not', null)
    .groupBy('issue_id')
    .orderBy('first')
    .limit(MAX_NAMED)
    .execute();
  return {
    ids: first.flatMap((row) => row.issue_id ?? []),
    counts: { ...NOTHING.counts, ...Object.fromEntries(counts.map((row) => [row.event, row.alerts])) },
  };
}

async function issuesById(
  trx: StoreTransaction,
  ids: readonly number[],
  publicUrl: string | null,
): Promise<ReadonlyMap<number, WebhookIssue>> {
  if (ids.length === 0) return new Map();
  const rows = await selectIssues(trx)
    .select(newestPayload.as('newest_payload'))
    .where('issue.id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, webhookIssueOf(row, publicUrl)]));
}

/** Selects the payload of the newest event that is stored in full. */
const newestPayload = sql<Uint8Array | null>`(
  select payload from event where event.issue_id = issue.id and is_brief = 0
  order by event.occurred_ms desc, event.id desc limit 1
)`;

function webhookIssueOf(row: NewestRow, publicUrl: string | null): WebhookIssue {
  const event = row.newest_payload === null ? null : decodeStoredEvent(row.newest_payload).event;
  const facts = event && factsOf(event, row.kind, null);
  return {
    digest: row.digest,
    key: row.digest_key,
    kind: row.kind,
    isConfirmed: row.is_confirmed === 1,
    title: event === null ? classOf(row.title) : titleOf(event),
    frame: event && frameOf(event),
    project: projectName(row.dsn),
    release: row.last_release,
    environment: facts && facts.environment,
    level: facts && (facts.level ?? 'error'),
    events: row.events,
    users: row.users,
    firstSeen: isoTime(row.first_seen_ms),
    lastSeen: isoTime(row.last_seen_ms),
    link: publicUrl === null ? null : linkOf(row, publicUrl),
  };
}

/** Returns class and message of an event; of the message only what the digest has, so that nothing personal leaves. */
function titleOf(event: Fields): string {
  const { type, value } = namingException(event) ?? {};
  const message = typeof value === 'string' ? value : (messageOf(event)?.text ?? '');
  const parts = [typeof type === 'string' ? nameIn(type) : '', skeletonOf(message)];
  return parts.filter((part) => part !== '').join(': ') || 'Event without a message';
}

/** Returns the class of a title whose events are gone. */
function classOf(title: string): string {
  const [type = ''] = title.split(':', 1);
  return CLASS.test(type) ? type : 'Event without a message';
}

/** Returns the name of an error or function; another text without the parts that may be personal. */
function nameIn(text: string): string {
  return CLASS.test(text) ? text : skeletonOf(text);
}

/** Returns a file without its query. An inline script has the address of its page, of which nothing is shown. */
function fileIn(place: string): string {
  const [path = ''] = place.split(/[?#]/, 1);
  if (!ADDRESS.test(path)) return path;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return SCRIPT.test(name) ? name : '<url>';
}

function frameOf(event: Fields): WebhookIssue['frame'] {
  const frame = framesOf(namingException(event) ?? {}).findLast(({ in_app: isOwn }) => isOwn === true);
  const file = frame === undefined ? null : shownPlace(frame);
  if (frame === undefined || file === null) return null;
  const line = scalarText(frame['lineno']);
  const name = columnText(frame['function'], MAX_SOURCE_LENGTH);
  const shown = fileIn(file);
  const place = [line === null ? shown : `${shown}:${line}`, name && nameIn(name)];
  return {
    place: place.filter((part) => part !== null).join(' '),
    source: columnText(frame['context_line'], MAX_SOURCE_LENGTH),
  };
}

/** Returns the console's link, with the project where the digest alone would name several issues. */
function linkOf(row: IssueRow, publicUrl: string): string {
  const { address, project, isShared } = nameOf(row);
  const query = isShared ? `?project=${encodeURIComponent(project)}` : '';
  return `${publicUrl}/console/e/${encodeURIComponent(address)}${query}`;
}

import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Change } from '../../contract/facets-api.ts';
import { routeTemplate } from '../../digest/route-template.ts';
import { HOUR_MS, hourOf } from '../../time/iso.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database, FactKind } from '../db/schema.ts';
import { tagsIn, tagText } from '../event/event-tags.ts';
import {
  afterPrefix,
  BROWSER_FACT,
  ENVIRONMENT_FACT,
  fieldForm,
  PATH_FACT,
  placeForms,
  placesOf,
  SERVER_FACT,
  TAG_FACT,
} from '../event/fact-forms.ts';
import type { IssueRow } from '../issues/read-issues.ts';
import type { Candidate } from './event-terms.ts';
import { browserName, termOf } from './facet-counts.ts';
import {
  type CommonValue,
  ELSEWHERE_MS,
  type FirstRelease,
  HOURS_READ,
  MAX_ONLY,
  MIN_ELSEWHERE,
  MIN_EVENTS,
  whatChanged,
} from './what-changed.ts';

/** Facts of other issues that are read on each side of a value. */
const MAX_FACTS_READ = 5_000;
/** Newest issues of all projects, among which those with the title of an issue are looked for: no index has titles. */
const MAX_ISSUES_READ = 5_000;
const MAX_TAGS = 2;
/** Facts of paths from here on are pages; before it are the routes behind `#`, which are facts beside their page. */
const FIRST_PAGE = afterPrefix('#');
/** Of an event without a message, see titleOf. */
const PATH_IN_TITLE = / at \/.*$/;

/** A value that all events have, with its facts. */
interface Value extends Omit<CommonValue, 'elsewhere'> {
  readonly kind: FactKind;
  /** The facts with this value, from the first to the last, which is exclusive. */
  readonly own: readonly [from: string, to: string];
  /** The facts among which others are looked for: those of a tag have its name. */
  readonly among: readonly [from: string, to: string];
}

/** Returns what is different about an issue; see whatChanged. @param events its newest ones. */
export async function changesOf(
  { db, now }: QueryContext,
  issue: IssueRow,
  events: readonly Candidate[],
): Promise<readonly Change[]> {
  const nowMs = now();
  return whatChanged({
    nowMs,
    firstSeenMs: issue.first_seen_ms,
    release: await firstReleaseOf(db, issue),
    hours: await hoursOf(db, issue.id, hourOf(nowMs) - (HOURS_READ - 1) * HOUR_MS),
    of: events.length,
    common: events.length < MIN_EVENTS ? [] : await tellingValues(db, issue, commonValues(events), nowMs),
  });
}

async function firstReleaseOf(db: Database, issue: IssueRow): Promise<FirstRelease | null> {
  const { first_release: name, project_id: project } = issue;
  if (name === null) return null;
  const select = () => db.selectFrom('release').select('first_seen_ms').where('project_id', '=', project);
  const release = await select().where('name', '=', name).executeTakeFirst();
  if (release === undefined) return null;
  const { first_seen_ms: firstSeenMs } = release;
  const earlier = await select().where('first_seen_ms', '<', firstSeenMs).limit(1).executeTakeFirst();
  return { name, firstSeenMs, isFirstOfProject: earlier === undefined };
}

async function hoursOf(db: Database, issueId: number, fromMs: number): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('issue_hour')
    .select(['hour_ms', 'events'])
    .where('issue_id', '=', issueId)
    .where('hour_ms', '>=', fromMs)
    .execute();
  return new Map(rows.map((row) => [row.hour_ms, row.events]));
}

/** Returns the values that all events have. */
function commonValues(events: readonly Candidate[]): readonly Value[] {
  const common = <T extends string>(valueOf: (event: Candidate) => T | null): T | null => {
    const [first] = events;
    const value = first === undefined ? null : valueOf(first);
    return value !== null && events.every((event) => fieldForm(valueOf(event) ?? '') === fieldForm(value))
      ? value
      : null;
  };
  const names = tagsIn(events[0]?.tags ?? null).map(([name]) => name);
  const tagOf = (name: string) => (event: Candidate) =>
    tagsIn(event.tags).find(([other]) => other === name)?.[1] ?? null;
  return [
    valueIn(
      'browser',
      BROWSER_FACT,
      common((event) => browserName(event.browser)),
    ),
    routeIn(events.map(({ path }) => (path === null ? null : pageIn(path)))),
    valueIn(
      'environment',
      ENVIRONMENT_FACT,
      common(({ environment }) => environment),
    ),
    valueIn(
      'server',
      SERVER_FACT,
      common(({ server }) => server),
    ),
    ...names
      .map((name) => tagIn(name, common(tagOf(name))))
      .filter((tag) => tag !== null)
      .slice(0, MAX_TAGS),
  ].filter((value) => value !== null);
}

function valueIn(field: string, kind: FactKind, value: string | null): Value | null {
  const form = value === null ? null : fieldForm(value);
  if (value === null || form === null) return null;
  // A browser has its version behind its name.
  const end = kind === BROWSER_FACT ? afterPrefix(form) : `${form}\u0001`;
  return { field, value, term: termOf(field, value), kind, own: [form, end], among: ['', afterPrefix('')] };
}

function tagIn(name: string, value: string | null): Value | null {
  const of = valueIn(`tag:${name}`, TAG_FACT, value === null ? null : value);
  const [prefix, form] = [`${name}:`, tagText([name, value ?? ''])].map(fieldForm);
  if (of === null || prefix === null || prefix === undefined || form === null || form === undefined)
    return null;
  return { ...of, own: [form, `${form}\u0001`], among: [prefix, afterPrefix(prefix)] };
}

/** Returns the fact of a path without the route in its fragment: one address has one form. */
function pageIn(path: string): string {
  const [page = path] = placesOf(path).flatMap(placeForms);
  return page;
}

/** Its facts are paths. Several have one route: `/shop` and `/shop/`. */
function routeIn(pages: readonly (string | null)[]): Value | null {
  const routes = new Set(pages.map((page) => (page === null ? null : routeTemplate(page))));
  const [route = null] = routes;
  if (route === null || routes.size > 1) return null;
  const [beginning = ''] = route.split('<n>');
  const isPath = beginning === route;
  const own: Value['own'] = [beginning, isPath ? `${beginning}\u0001` : afterPrefix(beginning)];
  const among: Value['among'] = [FIRST_PAGE, afterPrefix('')];
  // `url:/` finds the first page alone, and `url:/shop/a` not `//shop//a`.
  const isFound = (isPath || beginning !== '/') && pages.every((page) => page?.startsWith(beginning));
  const term = isFound ? termOf('url', beginning) : null;
  return { field: 'url', value: route, term, kind: PATH_FACT, own, among };
}

/** Returns the first values that enough other issues do not have. */
async function tellingValues(
  db: Database,
  issue: IssueRow,
  values: readonly Value[],
  nowMs: number,
): Promise<readonly CommonValue[]> {
  const sinceMs = hourOf(nowMs - ELSEWHERE_MS);
  const telling: CommonValue[] = [];
  for (const known of values) {
    const { field, value, term } = known;
    const elsewhere = await issuesElsewhere(db, issue, known, sinceMs);
    if (elsewhere < MIN_ELSEWHERE || (field === 'url' && (await isOnOtherRoute(db, issue, value, sinceMs))))
      continue;
    telling.push({ field, value, term, elsewhere });
    if (telling.length === MAX_ONLY) break;
  }
  return telling;
}

/**
 * Returns whether another issue with the title of this one, seen lately, has another route. Where a digest is made of the
 * route, as of minified frames, one error is an issue on each.
 */
async function isOnOtherRoute(
  db: Database,
  { id, project_id: project, title }: IssueRow,
  route: string,
  sinceMs: number,
): Promise<boolean> {
  const name = title.replace(PATH_IN_TITLE, '');
  const withPath = `${name} at /`;
  const newest = sql`select id, project_id, title from issue where last_seen_ms >= ${sinceMs}
    order by last_seen_ms desc, id desc limit ${sql.lit(MAX_ISSUES_READ)}`;
  const isSame = sql`project_id = ${project} and id <> ${id} and
    (title = ${name} or title >= ${withPath} and title < ${afterPrefix(withPath)})`;
  // A condition on last_seen_ms, which the index of an issue's facts has not, would make SQLite read all paths.
  const { rows } = await sql<{ readonly value: string }>`
    select value from issue_fact where kind = ${sql.lit(PATH_FACT)} and value >= ${FIRST_PAGE}
      and issue_id in (select id from (${newest}) as newest where ${isSame}) limit ${sql.lit(MAX_FACTS_READ)}
  `.execute(db);
  return rows.some((fact) => routeTemplate(fact.value) !== route);
}

/** Counts issues with another value, up to {@link MIN_ELSEWHERE}. In a flood the other events of the project are this issue's own. */
async function issuesElsewhere(
  db: Database,
  { id, project_id: project }: IssueRow,
  { kind, value, own, among }: Value,
  sinceMs: number,
): Promise<number> {
  const ids = new Set<number>();
  const isRoute = kind === PATH_FACT;
  const ranges: readonly (readonly [from: string, to: string, order: RawBuilder<unknown>])[] = [
    [among[0], own[0], sql`desc`],
    [own[1], among[1], sql`asc`],
    // `/products/new` begins like `/products/<n>`.
    ...(isRoute ? [[own[0], own[1], sql`asc`] as const] : []),
  ];
  // Routes of paths are not known to the database: it returns all that it reads.
  const [columns, limit] = isRoute
    ? [sql`issue_id, value`, MAX_FACTS_READ]
    : [sql`distinct issue_id`, MIN_ELSEWHERE];
  for (const [from, to, order] of ranges) {
    const near = sql`select issue_id, value, last_seen_ms from issue_fact
      where kind = ${sql.lit(kind)} and value >= ${from} and value < ${to} order by value ${order} limit ${sql.lit(MAX_FACTS_READ)}`;
    const isOther: RawBuilder<SqlBool> = sql`near.last_seen_ms >= ${sinceMs} and near.issue_id <> ${id} and
      (select project_id from issue where issue.id = near.issue_id) = ${project}`;
    const { rows } = await sql<{ readonly issue_id: number; readonly value?: string }>`
      select ${columns} from (${near}) as near where ${isOther} limit ${sql.lit(limit)}
    `.execute(db);
    for (const row of rows) {
      if (row.value === undefined || routeTemplate(row.value) !== value) ids.add(row.issue_id);
      if (ids.size === MIN_ELSEWHERE) return ids.size;
    }
  }
  return ids.size;
}

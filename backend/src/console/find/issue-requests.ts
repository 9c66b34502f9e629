import { BadRequestException } from '@nestjs/common';
import { z } from 'zod';
import type { EventFilters } from '../../contract/event-api.ts';
import {
  ISSUE_SORTS,
  ISSUE_STATUSES,
  type IssueQuery,
  KIND_FILTERS,
  MAX_PAGE_LINE,
  STATUS_FILTERS,
  type StatusChange,
} from '../../contract/issues-api.ts';
import { NO_NUL } from '../http/paging.ts';

/** Parses the requests about issues. */

const MAX_SEARCH_LENGTH = 4_096;
/** Longest release name of a Sentry event. */
const MAX_RELEASE_LENGTH = 250;

/** A canonical DSN. */
const NAME = z.string().max(MAX_SEARCH_LENGTH).regex(NO_NUL);

const querySchema = z.object({
  q: z.string().max(MAX_SEARCH_LENGTH).default(''),
  status: z.enum(STATUS_FILTERS).default('all'),
  kind: z.enum(KIND_FILTERS).default('all'),
  project: NAME.default(''),
  sort: z.enum(ISSUE_SORTS).default('last'),
  cursor: z.string().nullable().default(null),
});

const eventFiltersSchema = z.object({
  project: NAME.default(''),
  q: z.string().max(MAX_SEARCH_LENGTH).default(''),
});

const statusSchema = z
  .object({
    issues: z
      .array(z.object({ key: z.string().regex(/^[\da-f]{64}$/), project: NAME }))
      .min(1)
      .max(200),
    status: z.enum(ISSUE_STATUSES),
    resolvedIn: z.string().trim().min(1).max(MAX_RELEASE_LENGTH).regex(NO_NUL).nullish(),
  })
  .refine(({ status, resolvedIn }) => status === 'resolved' || (resolvedIn ?? null) === null);

const noteSchema = z.object({ text: z.string().trim().min(1).max(10_000).regex(NO_NUL) });

/**
 * One line without invisible characters: a bidi control would reorder the text beside the line, too. Joiners belong to scripts
 * and emoji, between two of their characters. More than three marks on a letter cover other text.
 */
const LINE =
  /^(?!.*\p{M}{4})(?:[^\p{C}\p{Zl}\p{Zp}]|(?<=[\p{L}\p{M}\p{Emoji}])[\u200C\u200D](?=[\p{L}\p{M}\p{Emoji}]))*$/u;
/** U+2800 is a blank pattern of Braille. */
const EMPTY_OR_VISIBLE = /^$|[^\p{M}\p{Z}\p{DI}\u2800]/u;
const pageLineSchema = z.object({
  text: z.string().trim().max(MAX_PAGE_LINE).regex(LINE).regex(EMPTY_OR_VISIBLE),
});

/** Parses a list's filters. @throws BadRequestException for an unknown value: ignoring it would show another list. */
export function issueQueryOf(query: unknown): IssueQuery {
  return parsed(querySchema, query);
}

function parsed<Query>(schema: z.ZodType<Query>, query: unknown): Query {
  const { success, data, error } = schema.safeParse(query);
  if (success) return data;
  const names = error.issues.map(({ path }) => path.join('.'));
  throw new BadRequestException(`Invalid query parameter: ${names.join(', ')}.`);
}

/** Returns the project beside a digest or an event id; null without one. @throws as {@link issueQueryOf}. */
export function projectOf(project: unknown): string | null {
  return issueQueryOf({ project }).project || null;
}

/** Returns the filters of the events of an issue. @throws as {@link issueQueryOf}. */
export function eventFiltersOf(query: unknown): EventFilters {
  const { project, q } = parsed(eventFiltersSchema, query);
  return { project: project || null, q: q.trim() || null };
}

export function statusChangeOf(body: unknown): StatusChange | undefined {
  return statusSchema.safeParse(body).data;
}

export function noteOf(body: unknown): string | undefined {
  return noteSchema.safeParse(body).data?.text;
}

export function pageLineOf(body: unknown): string | undefined {
  return pageLineSchema.safeParse(body).data?.text.toWellFormed();
}

/** Says that a digest or event id does not name one issue; the search lists those that it names. */
export function notOneIssue(name: string): string {
  return `No error, or more than one, is named ${name}: search for it, and use the address of the one you want.`;
}

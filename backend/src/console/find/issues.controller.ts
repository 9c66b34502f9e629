import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Post,
  Put,
  Query,
  UseGuards,
} from '@nestjs/common';
import {
  CONSOLE_FEEDBACK_PATH,
  CONSOLE_ISSUES_PATH,
  CONSOLE_PROJECTS_PATH,
  type FeedbackList,
  type IssueList,
  type Note,
  PAGE_ROWS,
  type PageLine,
  type ProjectList,
  type StatusChange,
  type StatusChanged,
} from '../../contract/issues-api.ts';
import { CONSOLE_TREND_PATH, type Trend } from '../../contract/trend-api.ts';
import { projectName } from '../../contract/project-name.ts';
import { EventStore } from '../../store/event-store.ts';
import { Audit } from '../auth/audit.ts';
import { Audited, ConsoleGuard, CurrentUser, ForRole, Polled } from '../auth/console.guard.ts';
import {
  issueQueryOf,
  noteOf,
  notOneIssue,
  pageLineOf,
  projectOf,
  statusChangeOf,
} from './issue-requests.ts';
import { OWN_PAGES, type OwnPages } from './own-pages.ts';
import { unknownWords } from './unknown-words.ts';
import { cursorOf } from '../http/paging.ts';
import { SameOriginGuard } from '../auth/same-origin.guard.ts';
import type { Principal } from '../auth/principal.ts';

const NO_PAGES =
  'Only a failure of this server has a page that shows a line: a server issue of its project with an event that the server sent.';

/** Lists issues and feedback, sets the status of issues and the lines on their pages, and adds notes. */
@Controller()
@UseGuards(ConsoleGuard, SameOriginGuard)
export class IssuesController {
  readonly #store: EventStore;
  readonly #audit: Audit;
  readonly #ownPages: OwnPages;

  constructor(store: EventStore, audit: Audit, @Inject(OWN_PAGES) ownPages: OwnPages) {
    this.#store = store;
    this.#audit = audit;
    this.#ownPages = ownPages;
  }

  @Get(CONSOLE_ISSUES_PATH)
  @Audited('find', { query: 'q' })
  async issues(@Query() query: unknown): Promise<IssueList> {
    const { cursor, ...filters } = issueQueryOf(query);
    const page = await this.#store.ask('issues', PAGE_ROWS, cursor, filters);
    const isWhole = cursor === null && page.next === null;
    const total = isWhole ? page.issues.length : await this.#store.ask('countIssues', filters);
    const unknown = unknownWords(filters.q);
    return { ...page, total, ...(unknown === undefined ? {} : { unknownWords: unknown }) };
  }

  @Get(CONSOLE_PROJECTS_PATH)
  projects(): Promise<ProjectList> {
    return this.#store.ask('projects');
  }

  @Get(CONSOLE_TREND_PATH)
  @Polled()
  trend(@Query('project') project: unknown): Promise<Trend> {
    return this.#store.ask('trend', projectOf(project));
  }

  @Get(CONSOLE_FEEDBACK_PATH)
  @Audited('read', { only: 'feedback' })
  feedback(@Query('cursor') cursor: unknown): Promise<FeedbackList> {
    return this.#store.ask('feedback', PAGE_ROWS, cursorOf(cursor));
  }

  @Post(`${CONSOLE_ISSUES_PATH}/status`)
  @HttpCode(200)
  @ForRole('operator')
  async setStatus(@Body() body: unknown, @CurrentUser() principal: Principal): Promise<StatusChanged> {
    const change = statusChangeOf(body);
    if (change === undefined) {
      throw new BadRequestException(
        'Send a JSON object with 1 to 200 issues (key and project), a status, and optionally resolvedIn with status resolved.',
      );
    }
    const issues = await this.#store.ask('issueStates', change.issues);
    await this.#audit.changed(
      principal,
      ...issues.map(({ address, project, ...before }) => ({
        action: 'set_status' as const,
        target: address,
        detail: `${statusText(before)} -> ${statusText(change)}, ${projectName(project)}`,
      })),
    );
    return this.#store.ask('setStatus', change);
  }

  @Post(`${CONSOLE_ISSUES_PATH}/:digest/notes`)
  @HttpCode(200)
  @ForRole('operator')
  async addNote(
    @Param('digest') digest: string,
    @Query('project') project: unknown,
    @Body() body: unknown,
    @CurrentUser() principal: Principal,
  ): Promise<Note> {
    const inProject = projectOf(project);
    const text = noteOf(body);
    if (text === undefined) {
      throw new BadRequestException('Send a JSON object with a text of 1 to 10,000 characters.');
    }
    const detail = inProject === null ? null : projectName(inProject);
    await this.#audit.changed(principal, { action: 'note', target: digest, detail });
    const note = await this.#store.ask('addNote', digest, { author: principal.who, text }, inProject);
    if (note === undefined) throw new NotFoundException(notOneIssue(digest));
    return note;
  }

  @Put(`${CONSOLE_ISSUES_PATH}/:digest/page-line`)
  @ForRole('operator')
  async setPageLine(
    @Param('digest') digest: string,
    @Query('project') project: unknown,
    @Body() body: unknown,
    @CurrentUser() principal: Principal,
  ): Promise<PageLine> {
    const { project: own, areHelpful: isShown } = this.#ownPages;
    const text = pageLineOf(body);
    if (text === undefined) {
      throw new BadRequestException(
        'Send a JSON object with a text of at most 200 visible characters in one line: no control, format, private or unassigned characters, and at most three combining marks in a row.',
      );
    }
    if ((projectOf(project) ?? own) !== own) throw new BadRequestException(NO_PAGES);
    const detail = text === '' ? 'removed' : text;
    await this.#audit.changed(principal, { action: 'page_line', target: digest, detail });
    const isSet = await this.#store.ask('setPageLine', digest, text, own);
    if (isSet === undefined) throw new NotFoundException(notOneIssue(digest));
    if (!isSet) throw new BadRequestException(NO_PAGES);
    return { text, isShown };
  }
}

function statusText({ status, resolvedIn }: Omit<StatusChange, 'issues'>): string {
  return typeof resolvedIn === 'string' ? `${status} in ${resolvedIn}` : status;
}

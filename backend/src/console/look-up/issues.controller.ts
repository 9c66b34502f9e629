import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
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
  type ProjectList,
  type StatusChanged,
} from '../../contract/issues-api.ts';
import { EventStore } from '../../store/event-store.ts';
import { Audit } from '../auth/audit.ts';
import { Asking, ConsoleGuard, ForRole, Audited } from '../auth/console.guard.ts';
import { issueQueryOf, noteOf, projectOf, statusChangeOf } from './issue-requests.ts';
import { cursorOf, PAGE_ROWS } from '../http/paging.ts';
import { SameOriginGuard } from '../auth/same-origin.guard.ts';
import type { Principal } from '../auth/principal.ts';

/** Lists of issues and of what people wrote, and what is to be done about them. */
@Controller()
@UseGuards(ConsoleGuard, SameOriginGuard)
export class IssuesController {
  readonly #store: EventStore;
  readonly #audit: Audit;

  constructor(store: EventStore, audit: Audit) {
    this.#store = store;
    this.#audit = audit;
  }

  @Get(CONSOLE_ISSUES_PATH)
  @Audited('find', { query: 'q' })
  issues(@Query() query: unknown): Promise<IssueList> {
    const { cursor, ...filters } = issueQueryOf(query);
    return this.#store.ask('issues', PAGE_ROWS, cursor, filters);
  }

  @Get(CONSOLE_PROJECTS_PATH)
  projects(): Promise<ProjectList> {
    return this.#store.ask('projects');
  }

  @Get(CONSOLE_FEEDBACK_PATH)
  @Audited('look_up', { only: 'the feedback' })
  feedback(@Query('cursor') cursor: unknown): Promise<FeedbackList> {
    return this.#store.ask('feedback', PAGE_ROWS, cursorOf(cursor));
  }

  @Post(`${CONSOLE_ISSUES_PATH}/status`)
  @HttpCode(200)
  @ForRole('operator')
  async setStatus(@Body() body: unknown, @Asking() visitor: Principal): Promise<StatusChanged> {
    const change = statusChangeOf(body);
    if (change === undefined) {
      throw new BadRequestException(
        'Send a JSON object with 1 to 200 issues (key and project), a status, and with `resolved` perhaps resolvedIn.',
      );
    }
    const { issues, status, resolvedIn } = change;
    const done = typeof resolvedIn === 'string' ? `${status} in ${resolvedIn}` : status;
    for (const [project, named] of Map.groupBy(issues, (issue) => issue.project)) {
      const target = named.map(({ key }) => key).join(' ');
      await this.#audit.changed(visitor, { action: 'set_status', target, detail: `${done}, ${project}` });
    }
    return this.#store.ask('setStatus', change);
  }

  @Post(`${CONSOLE_ISSUES_PATH}/:digest/notes`)
  @HttpCode(200)
  @ForRole('operator')
  async addNote(
    @Param('digest') digest: string,
    @Query('project') project: unknown,
    @Body() body: unknown,
    @Asking() visitor: Principal,
  ): Promise<Note> {
    const inProject = projectOf(project);
    const text = noteOf(body);
    if (text === undefined) {
      throw new BadRequestException('Send a JSON object with a text of 1 to 10,000 characters.');
    }
    await this.#audit.changed(visitor, { action: 'note', target: digest, detail: inProject });
    const note = await this.#store.ask('addNote', digest, { author: visitor.who, text }, inProject);
    if (note === undefined) throw new NotFoundException(`No error with the digest ${digest}.`);
    return note;
  }
}

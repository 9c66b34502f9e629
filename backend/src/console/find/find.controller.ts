import {
  BadRequestException,
  Controller,
  Get,
  Header,
  NotFoundException,
  Param,
  Query,
  StreamableFile,
  UseGuards,
} from '@nestjs/common';
import {
  CONSOLE_EVENTS_PATH,
  type EventDetail,
  type EventList,
  type EventContent,
} from '../../contract/event-api.ts';
import { CONSOLE_FIND_PATH, type FindAnswer } from '../../contract/find-api.ts';
import { CONSOLE_ISSUES_PATH, type IssueAnswer, PAGE_ROWS } from '../../contract/issues-api.ts';
import { EventStore } from '../../store/event-store.ts';
import { Audited, ConsoleGuard } from '../auth/console.guard.ts';
import { Finder } from './finder.ts';
import { notOneIssue, projectOf } from './issue-requests.ts';
import { cursorOf } from '../http/paging.ts';
import { DeliveryStatus } from './delivery-status.ts';

/** Characters of a search: a pasted error message with its stack fits. */
const MAX_QUERY_LENGTH = 4_096;

/** Finds issues and events: by text, digest and event ID. */
@Controller()
@UseGuards(ConsoleGuard)
export class FindController {
  readonly #store: EventStore;
  readonly #finder: Finder;
  readonly #deliveryStatus: DeliveryStatus;

  constructor(store: EventStore, finder: Finder, deliveryStatus: DeliveryStatus) {
    this.#store = store;
    this.#finder = finder;
    this.#deliveryStatus = deliveryStatus;
  }

  @Get(CONSOLE_FIND_PATH)
  @Audited('find', { query: 'q' })
  find(@Query('q') query: unknown, @Query('cursor') cursor: unknown): Promise<FindAnswer> {
    if (typeof query !== 'string') throw new BadRequestException('Query parameter q is required.');
    return this.#finder.find(query.slice(0, MAX_QUERY_LENGTH), cursorOf(cursor));
  }

  @Get(`${CONSOLE_ISSUES_PATH}/:digest`)
  @Audited('read', { path: 'digest' })
  async issue(@Param('digest') digest: string, @Query('project') project: unknown): Promise<IssueAnswer> {
    const answer = found(await this.#store.ask('issue', digest, projectOf(project)), notOneIssue(digest));
    return { ...answer, latest: answer.latest === null ? null : await this.#withDelivery(answer.latest) };
  }

  @Get(`${CONSOLE_ISSUES_PATH}/:digest/events`)
  @Audited('read', { path: 'digest' })
  async issueEvents(
    @Param('digest') digest: string,
    @Query('cursor') cursor: unknown,
    @Query('project') project: unknown,
  ): Promise<EventList> {
    const events = await this.#store.ask(
      'issueEvents',
      digest,
      PAGE_ROWS,
      cursorOf(cursor),
      projectOf(project),
    );
    return found(events, notOneIssue(digest));
  }

  @Get(`${CONSOLE_EVENTS_PATH}/:eventId`)
  @Audited('read', { path: 'eventId' })
  async event(@Param('eventId') eventId: string, @Query('project') project: unknown): Promise<EventDetail> {
    const event = found(
      await this.#store.ask('event', eventId, projectOf(project)),
      `No event with ID ${eventId}.`,
    );
    return this.#withDelivery(event);
  }

  /** Downloads a stored event, secrets removed. A browser must not show it as a page of this origin. */
  @Get(`${CONSOLE_EVENTS_PATH}/:eventId/raw`)
  @Audited('download', { path: 'eventId' })
  @Header('X-Content-Type-Options', 'nosniff')
  async rawEvent(
    @Param('eventId') eventId: string,
    @Query('project') project: unknown,
  ): Promise<StreamableFile> {
    const json = found(
      await this.#store.ask('rawEvent', eventId, projectOf(project)),
      `No event with ID ${eventId}.`,
    );
    return new StreamableFile(Buffer.from(json), {
      type: 'application/json; charset=utf-8',
      // A found event's id holds only letters, digits and hyphens.
      disposition: `attachment; filename="event-${eventId}.json"`,
    });
  }

  async #withDelivery({ spool, ...event }: StoredEventDetail): Promise<EventDetail> {
    return { ...event, delivery: await this.#deliveryStatus.of({ ...event, spool }) };
  }
}

/** An event as the store returns it. */
type StoredEventDetail = EventContent & { readonly spool: number };

function found<T>(value: T | undefined, detail: string): T {
  if (value === undefined) throw new NotFoundException(detail);
  return value;
}

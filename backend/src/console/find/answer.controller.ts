import {
  Controller,
  Get,
  Header,
  Inject,
  NotFoundException,
  Param,
  Query,
  StreamableFile,
  UseGuards,
} from '@nestjs/common';
import {
  CONSOLE_EVENTS_PATH,
  type EventContent,
  type EventDetail,
  type EventFilters,
  type EventList,
} from '../../contract/event-api.ts';
import type { IssueFacets } from '../../contract/facets-api.ts';
import { EVENT_FIELDS } from '../../contract/find-api.ts';
import { CONSOLE_ISSUES_PATH, type IssueAnswer, PAGE_ROWS } from '../../contract/issues-api.ts';
import type { UnknownWords } from '../../contract/search-api.ts';
import { EventStore } from '../../store/event-store.ts';
import { Audited, ConsoleGuard } from '../auth/console.guard.ts';
import { cursorOf } from '../http/paging.ts';
import { DeliveryStatus } from './delivery-status.ts';
import { eventFiltersOf, notOneIssue, projectOf } from './issue-requests.ts';
import { OWN_PAGES, type OwnPages } from './own-pages.ts';
import { unknownWords } from './unknown-words.ts';

/** Answers with one issue, by its digest, and with one event, by its ID. */
@Controller()
@UseGuards(ConsoleGuard)
export class AnswerController {
  readonly #store: EventStore;
  readonly #deliveryStatus: DeliveryStatus;
  readonly #ownPages: OwnPages;

  constructor(store: EventStore, deliveryStatus: DeliveryStatus, @Inject(OWN_PAGES) ownPages: OwnPages) {
    this.#store = store;
    this.#deliveryStatus = deliveryStatus;
    this.#ownPages = ownPages;
  }

  @Get(`${CONSOLE_ISSUES_PATH}/:digest`)
  @Audited('read', { path: 'digest' })
  async issue(@Param('digest') digest: string, @Query('project') project: unknown): Promise<IssueAnswer> {
    const answer = found(await this.#store.ask('issue', digest, projectOf(project)), notOneIssue(digest));
    const { latest, pageLine: text, project: ofIssue } = answer;
    const { project: own, areHelpful: isShown } = this.#ownPages;
    return {
      ...answer,
      latest: latest === null ? null : await this.#withDelivery(latest),
      pageLine: text === null || ofIssue !== own ? null : { text, isShown },
    };
  }

  @Get(`${CONSOLE_ISSUES_PATH}/:digest/events`)
  @Audited('read', { path: 'digest' })
  async issueEvents(
    @Param('digest') digest: string,
    @Query('cursor') cursor: unknown,
    @Query() filters: unknown,
  ): Promise<EventList> {
    const wanted = eventFiltersOf(filters);
    const events = await this.#store.ask('issueEvents', digest, PAGE_ROWS, cursorOf(cursor), wanted);
    return { ...found(events, notOneIssue(digest)), ...unknownIn(wanted) };
  }

  @Get(`${CONSOLE_ISSUES_PATH}/:digest/facets`)
  @Audited('read', { path: 'digest' })
  async issueFacets(@Param('digest') digest: string, @Query() filters: unknown): Promise<IssueFacets> {
    const wanted = eventFiltersOf(filters);
    const facets = await this.#store.ask('issueFacets', digest, wanted);
    return { ...found(facets, notOneIssue(digest)), ...unknownIn(wanted) };
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

/** Names the words of a search that no event has. */
function unknownIn({ q }: EventFilters): { readonly unknownWords?: UnknownWords } {
  const unknown = unknownWords(q ?? '', EVENT_FIELDS);
  return unknown === undefined ? {} : { unknownWords: unknown };
}

function found<T>(value: T | undefined, detail: string): T {
  if (value === undefined) throw new NotFoundException(detail);
  return value;
}

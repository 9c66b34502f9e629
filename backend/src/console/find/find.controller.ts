import { BadRequestException, Controller, Get, Query, UseGuards } from '@nestjs/common';
import {
  CONSOLE_FIND_EXAMPLES_PATH,
  CONSOLE_FIND_PATH,
  type FindAnswer,
  type FindExamples,
} from '../../contract/find-api.ts';
import { EventStore } from '../../store/event-store.ts';
import { Audited, ConsoleGuard } from '../auth/console.guard.ts';
import { cursorOf } from '../http/paging.ts';
import { Finder } from './finder.ts';

/** Characters of a text to find: a pasted error message with its stack fits. */
const MAX_QUERY_LENGTH = 4_096;

/** Finds issues and events by any text. */
@Controller()
@UseGuards(ConsoleGuard)
export class FindController {
  readonly #finder: Finder;
  readonly #store: EventStore;

  constructor(finder: Finder, store: EventStore) {
    this.#finder = finder;
    this.#store = store;
  }

  @Get(CONSOLE_FIND_PATH)
  @Audited('find', { query: 'q' })
  find(@Query('q') query: unknown, @Query('cursor') cursor: unknown): Promise<FindAnswer> {
    if (typeof query !== 'string') throw new BadRequestException('Query parameter q is required.');
    return this.#finder.find(query.slice(0, MAX_QUERY_LENGTH), cursorOf(cursor));
  }

  @Get(CONSOLE_FIND_EXAMPLES_PATH)
  @Audited('read', { only: 'examples' })
  examples(): Promise<FindExamples> {
    return this.#store.ask('findExamples');
  }
}

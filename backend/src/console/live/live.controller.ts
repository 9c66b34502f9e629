import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { CONSOLE_LIVE_PATH, type LiveEvents } from '../../contract/live-api.ts';
import { EventStore } from '../../store/event-store.ts';
import { Audited, ConsoleGuard, Polled } from '../auth/console.guard.ts';
import { cursorOf } from '../http/paging.ts';

/**
 * Returns new events to open live pages. It queries the store and not the intake, so that an event appears when it can be
 * opened, with its digest, from every replica.
 */
@Controller()
@UseGuards(ConsoleGuard)
export class LiveController {
  readonly #store: EventStore;

  constructor(store: EventStore) {
    this.#store = store;
  }

  @Get(CONSOLE_LIVE_PATH)
  @Polled()
  @Audited('read', { only: 'live events' })
  events(@Query('after') after: unknown): Promise<LiveEvents> {
    return this.#store.ask('liveEvents', cursorOf(after));
  }
}

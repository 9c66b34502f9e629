import { Get, HttpException, Req, Res, UseGuards } from '@nestjs/common';
import { ConsoleController } from '../http/console-controller.ts';
import type { Request, Response } from 'express';
import { CONSOLE_LIVE_PATH } from '../../contract/live-api.ts';
import { Sessions } from '../auth/sessions.ts';
import { Audited, ConsoleGuard, CurrentUser } from '../auth/console.guard.ts';
import { numberOf } from '../http/paging.ts';
import { LiveFeed } from './live-feed.ts';
import { LiveEventStream } from './live-stream.ts';
import { readSessionCookie } from '../auth/session-cookie.ts';
import type { Principal } from '../auth/principal.ts';

/** Streams of one process: each is a connection that stays open. */
const MAX_STREAMS = 100;

/** Streams new events to open live pages. */
@ConsoleController()
@UseGuards(ConsoleGuard)
export class LiveController {
  readonly #feed: LiveFeed;
  readonly #sessions: Sessions;
  #open = 0;

  constructor(feed: LiveFeed, sessions: Sessions) {
    this.#feed = feed;
    this.#sessions = sessions;
  }

  @Get(CONSOLE_LIVE_PATH)
  @Audited('look_up', { only: 'live events' })
  async stream(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentUser() principal: Principal,
  ): Promise<void> {
    if (this.#open >= MAX_STREAMS) {
      response.set('Retry-After', '30');
      throw new HttpException(
        `${MAX_STREAMS} live pages are open already. Close one, or try again in 30 seconds.`,
        429,
      );
    }
    // The client disconnected while the guard checked its session; no further event would announce that.
    if (response.closed) return;
    this.#open += 1;
    let leave: (() => void) | undefined;
    const token = principal.session === null ? undefined : readSessionCookie(request);
    const stream = new LiveEventStream(response, {
      // A bearer token does not expire.
      isSignedIn: async () => token === undefined || this.#sessions.isStillSignedIn(token, Date.now()),
      onEnd: () => {
        this.#open -= 1;
        leave?.();
      },
    });
    try {
      leave = await this.#feed.join(
        stream,
        numberOf(request.headers['last-event-id'] ?? request.query['after']),
      );
    } catch {
      // The store is unavailable; the browser reconnects by itself.
      stream.end();
    }
    if (request.method === 'HEAD') stream.end();
    // The stream may have ended before it joined the feed.
    if (stream.isOver) leave?.();
  }
}

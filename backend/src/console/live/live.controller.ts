import { Controller, Get, HttpException, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONSOLE_LIVE_PATH } from '../../contract/live-api.ts';
import { Sessions } from '../auth/sessions.ts';
import { Asking, ConsoleGuard, Audited } from '../auth/console.guard.ts';
import { LiveFeed } from './live-feed.ts';
import { LiveStream } from './live-stream.ts';
import { readSessionCookie } from '../auth/session-cookie.ts';
import type { Principal } from '../auth/principal.ts';

/** Streams of one process: each is a connection that stays open. */
const MAX_STREAMS = 100;

/** What comes in, as it comes. */
@Controller()
@UseGuards(ConsoleGuard)
export class LiveController {
  readonly #feed: LiveFeed;
  readonly #access: Sessions;
  #open = 0;

  constructor(feed: LiveFeed, access: Sessions) {
    this.#feed = feed;
    this.#access = access;
  }

  @Get(CONSOLE_LIVE_PATH)
  @Audited('look_up', { only: 'the live view' })
  async stream(
    @Req() request: Request,
    @Res() response: Response,
    @Asking() visitor: Principal,
  ): Promise<void> {
    if (this.#open >= MAX_STREAMS) {
      response.set('Retry-After', '30');
      throw new HttpException(`${MAX_STREAMS} live views are open already.`, 429);
    }
    // Gone while the guard looked its session up: nothing would tell of its end any more.
    if (response.closed) return;
    this.#open += 1;
    let leave: (() => void) | undefined;
    const session = visitor.session === null ? undefined : readSessionCookie(request);
    const stream = new LiveStream(response, {
      // A token has no end.
      isWelcome: async () => session === undefined || this.#access.isStillSignedIn(session, Date.now()),
      onEnd: () => {
        this.#open -= 1;
        leave?.();
      },
    });
    try {
      leave = await this.#feed.join(
        stream,
        cursorOf(request.headers['last-event-id'] ?? request.query['after']),
      );
    } catch {
      // The store cannot be asked: the browser comes back by itself.
      stream.end();
    }
    if (request.method === 'HEAD') stream.end();
    // It may have been over before there was anything to leave.
    if (stream.isOver) leave?.();
  }
}

/** Null for none, and for what is no cursor of ours. */
function cursorOf(id: unknown): number | null {
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : null;
}

import {
  All,
  Controller,
  Get,
  MethodNotAllowedException,
  Query,
  Req,
  Res,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEMO_SERVER_ERROR_PATH } from '../contract/routes.ts';
import { answerOptions, READS } from '../net/answer-options.ts';

/** Error of the demo. Its own class shows that the digest depends on the class and that the page does not show it. */
class CheckoutError extends Error {
  override name = 'CheckoutError';
}

/** Fails on request, for the home page's button; exists only with `ERRATA_DEMO=on`. */
@Controller({ version: VERSION_NEUTRAL })
export class DemoController {
  /** Fails like a real handler: with an id in the message, and with a cause. */
  @Get(DEMO_SERVER_ERROR_PATH)
  async serverError(@Query('id') id: unknown, @Query('fault') fault: unknown): Promise<never> {
    const order = typeof id === 'string' && id !== '' ? id.slice(0, 64) : 'none';
    await Promise.resolve();
    if (fault === '2') throw new TypeError(`The total of order ${order} is not a number`);
    throw new CheckoutError(`Order ${order} could not be charged`, { cause: new Error('card declined') });
  }

  @All(DEMO_SERVER_ERROR_PATH)
  refuse(@Req() request: IncomingMessage, @Res() response: ServerResponse): void {
    if (!answerOptions(request, response, READS)) throw new MethodNotAllowedException();
  }
}

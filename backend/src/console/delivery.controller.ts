import { BadRequestException, Body, Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import {
  CONSOLE_DEAD_LETTERS_PATH,
  CONSOLE_DELIVERY_PATH,
  type DeadLetterList,
  type DeadLetterResult,
  type DeliveryState,
} from '../contract/delivery-api.ts';
import { ConsoleGuard } from './console.guard.ts';
import { Delivery } from './delivery.ts';
import { SameOriginGuard } from './same-origin.guard.ts';

/** As many as there can be by default. */
const choiceSchema = z.object({ ids: z.array(z.int().positive()).min(1).max(1_000) });

/** What became of the envelopes, and the dead letters. */
@Controller()
@UseGuards(ConsoleGuard, SameOriginGuard)
export class DeliveryController {
  readonly #delivery: Delivery;

  constructor(delivery: Delivery) {
    this.#delivery = delivery;
  }

  @Get(CONSOLE_DELIVERY_PATH)
  state(): Promise<DeliveryState> {
    return this.#delivery.state();
  }

  @Get(CONSOLE_DEAD_LETTERS_PATH)
  deadLetters(@Query('cursor') cursor: unknown): Promise<DeadLetterList> {
    const beforeId = typeof cursor === 'string' && /^\d{1,15}$/.test(cursor) ? Number(cursor) : null;
    return this.#delivery.deadLetters(beforeId);
  }

  @Post(`${CONSOLE_DEAD_LETTERS_PATH}/redrive`)
  @HttpCode(200)
  async redrive(@Body() body: unknown): Promise<DeadLetterResult> {
    return { done: await this.#delivery.redrive(idsOf(body)) };
  }

  @Post(`${CONSOLE_DEAD_LETTERS_PATH}/discard`)
  @HttpCode(200)
  async discard(@Body() body: unknown): Promise<DeadLetterResult> {
    return { done: await this.#delivery.discard(idsOf(body)) };
  }
}

function idsOf(body: unknown): readonly number[] {
  const choice = choiceSchema.safeParse(body);
  if (!choice.success)
    throw new BadRequestException('Send a JSON object with the ids of 1 to 1,000 dead letters.');
  return choice.data.ids;
}

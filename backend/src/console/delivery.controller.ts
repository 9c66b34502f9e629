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
import { z } from 'zod';
import {
  CONSOLE_DEAD_LETTERS_PATH,
  CONSOLE_DELIVERY_PATH,
  type DeadLetterDetail,
  type DeadLetterList,
  type DeadLetterResult,
  type DeliveryState,
} from '../contract/delivery-api.ts';
import { Audit } from './audit.ts';
import { Asking, ConsoleGuard, LooksUp } from './console.guard.ts';
import { Delivery } from './delivery.ts';
import { SameOriginGuard } from './same-origin.guard.ts';
import type { Visitor } from './visitor.ts';

/** As many as there can be by default. */
const choiceSchema = z.object({ ids: z.array(z.int().positive()).min(1).max(1_000) });

/** What became of the envelopes, and the dead letters. */
@Controller()
@UseGuards(ConsoleGuard, SameOriginGuard)
export class DeliveryController {
  readonly #delivery: Delivery;
  readonly #audit: Audit;

  constructor(delivery: Delivery, audit: Audit) {
    this.#delivery = delivery;
    this.#audit = audit;
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

  @Get(`${CONSOLE_DEAD_LETTERS_PATH}/:id`)
  @LooksUp('look_up', 'id', 'dead letter')
  async deadLetter(@Param('id') id: string): Promise<DeadLetterDetail> {
    const letter = /^\d{1,15}$/.test(id) ? await this.#delivery.deadLetter(Number(id)) : undefined;
    if (letter === undefined) throw new NotFoundException(`No dead letter with the number ${id}.`);
    return letter;
  }

  @Post(`${CONSOLE_DEAD_LETTERS_PATH}/redrive`)
  @HttpCode(200)
  async redrive(@Body() body: unknown, @Asking() visitor: Visitor): Promise<DeadLetterResult> {
    const ids = idsOf(body);
    await this.#audit.changed(visitor, { action: 'redrive', target: ids.join(' ') });
    return { done: await this.#delivery.redrive(ids) };
  }

  @Post(`${CONSOLE_DEAD_LETTERS_PATH}/discard`)
  @HttpCode(200)
  async discard(@Body() body: unknown, @Asking() visitor: Visitor): Promise<DeadLetterResult> {
    const ids = idsOf(body);
    await this.#audit.changed(visitor, { action: 'discard', target: ids.join(' ') });
    return { done: await this.#delivery.discard(ids) };
  }
}

function idsOf(body: unknown): readonly number[] {
  const choice = choiceSchema.safeParse(body);
  if (!choice.success)
    throw new BadRequestException('Send a JSON object with the ids of 1 to 1,000 dead letters.');
  return choice.data.ids;
}

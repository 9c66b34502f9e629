import {
  BadRequestException,
  Body,
  ConflictException,
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
} from '../../contract/delivery-api.ts';
import { Audit } from '../auth/audit.ts';
import { Asking, ConsoleGuard, Audited } from '../auth/console.guard.ts';
import { isDeadLetterId } from './dead-letter-id.ts';
import { Delivery } from './delivery-report.ts';
import { SameOriginGuard } from '../auth/same-origin.guard.ts';
import type { Principal } from '../auth/principal.ts';

/** As many as there can be by default. */
const choiceSchema = z.object({ ids: z.array(z.string().refine(isDeadLetterId)).min(1).max(1_000) });

const ELSEWHERE_DETAIL =
  'These are dead letters of another process, or of a spool that was made anew. Load the list again.';

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
    const [beforeId = null] = isDeadLetterId(cursor) ? this.#own([cursor]) : [];
    return this.#delivery.deadLetters(beforeId);
  }

  @Get(`${CONSOLE_DEAD_LETTERS_PATH}/:id`)
  @Audited('look_up', { path: 'id' }, 'dead letter')
  async deadLetter(@Param('id') id: string): Promise<DeadLetterDetail> {
    const [number] = isDeadLetterId(id) ? this.#own([id]) : [];
    const letter = number === undefined ? undefined : await this.#delivery.deadLetter(number);
    if (letter === undefined) throw new NotFoundException(`No dead letter with the id ${id}.`);
    return letter;
  }

  @Post(`${CONSOLE_DEAD_LETTERS_PATH}/redrive`)
  @HttpCode(200)
  async redrive(@Body() body: unknown, @Asking() visitor: Principal): Promise<DeadLetterResult> {
    return { done: await this.#delivery.redrive(await this.#chosen('redrive', body, visitor)) };
  }

  @Post(`${CONSOLE_DEAD_LETTERS_PATH}/discard`)
  @HttpCode(200)
  async discard(@Body() body: unknown, @Asking() visitor: Principal): Promise<DeadLetterResult> {
    return { done: await this.#delivery.discard(await this.#chosen('discard', body, visitor)) };
  }

  /** Numbers of what a change is asked for, once that is written down. */
  async #chosen(
    action: 'redrive' | 'discard',
    body: unknown,
    visitor: Principal,
  ): Promise<readonly number[]> {
    const ids = idsOf(body);
    const own = this.#own(ids);
    await this.#audit.changed(visitor, { action, target: ids.join(' ') });
    return own;
  }

  #own(ids: readonly string[]): readonly number[] {
    const own = this.#delivery.own(ids);
    if (own === undefined) throw new ConflictException(ELSEWHERE_DETAIL);
    return own;
  }
}

function idsOf(body: unknown): readonly string[] {
  const choice = choiceSchema.safeParse(body);
  if (!choice.success)
    throw new BadRequestException('Send a JSON object with the ids of 1 to 1,000 dead letters.');
  return choice.data.ids;
}

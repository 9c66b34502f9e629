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
  type DeliveryVerdict,
  type RetryResult,
} from '../../contract/delivery-api.ts';
import { keyStart, projectName } from '../../contract/project-name.ts';
import { Audit, targetsOf } from '../auth/audit.ts';
import { Audited, ConsoleGuard, CurrentUser, Polled } from '../auth/console.guard.ts';
import { isDeadLetterId } from './dead-letter-id.ts';
import { DeliveryReport } from './delivery-report.ts';
import { SameOriginGuard } from '../auth/same-origin.guard.ts';
import type { Principal } from '../auth/principal.ts';

/** One request may name every dead letter: the spool stores at most 1,000. */
const choiceSchema = z.object({ ids: z.array(z.string().refine(isDeadLetterId)).min(1).max(1_000) });

const strandedSchema = z.object({ project: z.string() });

/** Shows the ledger and the dead letters; tries failing destinations, sends dead letters again or discards them. */
@Controller()
@UseGuards(ConsoleGuard, SameOriginGuard)
export class DeliveryController {
  readonly #delivery: DeliveryReport;
  readonly #audit: Audit;

  constructor(delivery: DeliveryReport, audit: Audit) {
    this.#delivery = delivery;
    this.#audit = audit;
  }

  @Get(CONSOLE_DELIVERY_PATH)
  @Polled()
  state(): Promise<DeliveryState> {
    return this.#delivery.state();
  }

  @Get(`${CONSOLE_DELIVERY_PATH}/verdict`)
  @Polled()
  verdict(): DeliveryVerdict {
    return this.#delivery.verdict();
  }

  @Post(`${CONSOLE_DELIVERY_PATH}/retry`)
  @HttpCode(200)
  async retry(@CurrentUser() principal: Principal): Promise<RetryResult> {
    await this.#audit.changed(principal, { action: 'retry', target: null });
    return { retried: this.#delivery.retry() };
  }

  @Get(CONSOLE_DEAD_LETTERS_PATH)
  deadLetters(@Query('cursor') cursor: unknown): Promise<DeadLetterList> {
    const [beforeId = null] = isDeadLetterId(cursor) ? this.#own([cursor]) : [];
    return this.#delivery.deadLetters(beforeId);
  }

  @Get(`${CONSOLE_DEAD_LETTERS_PATH}/:id`)
  @Audited('read', { path: 'id' }, 'dead letter')
  async deadLetter(@Param('id') id: string): Promise<DeadLetterDetail> {
    const [number] = isDeadLetterId(id) ? this.#own([id]) : [];
    const letter = number === undefined ? undefined : await this.#delivery.deadLetter(number);
    if (letter === undefined) throw new NotFoundException(`No dead letter with ID ${id}.`);
    return letter;
  }

  @Post(`${CONSOLE_DEAD_LETTERS_PATH}/redrive`)
  @HttpCode(200)
  async redrive(@Body() body: unknown, @CurrentUser() principal: Principal): Promise<DeadLetterResult> {
    return { done: await this.#delivery.redrive(await this.#chosen('redrive', body, principal)) };
  }

  @Post(`${CONSOLE_DEAD_LETTERS_PATH}/discard`)
  @HttpCode(200)
  async discard(@Body() body: unknown, @CurrentUser() principal: Principal): Promise<DeadLetterResult> {
    return { done: await this.#delivery.discard(await this.#chosen('discard', body, principal)) };
  }

  @Post(`${CONSOLE_DELIVERY_PATH}/discard`)
  @HttpCode(200)
  async discardWaiting(
    @Body() body: unknown,
    @CurrentUser() principal: Principal,
  ): Promise<DeadLetterResult> {
    const { data } = strandedSchema.safeParse(body);
    if (data === undefined) throw new BadRequestException('Send a JSON object with project: a DSN.');
    const stranded = await this.#delivery.stranded(data.project);
    if (stranded === undefined)
      throw new NotFoundException('No envelopes wait for this DSN, or it is in the settings.');
    const detail = `${stranded.queued} envelopes`;
    const target = `${projectName(stranded.project)} ${keyStart(stranded.project)}`;
    await this.#audit.changed(principal, { action: 'discard_waiting', target, detail });
    return { done: await this.#delivery.discardWaiting(stranded) };
  }

  /** Returns the numbers of the dead letters in a request, after writing the audit entry. */
  async #chosen(
    action: 'redrive' | 'discard',
    body: unknown,
    principal: Principal,
  ): Promise<readonly number[]> {
    const ids = idsOf(body);
    const own = this.#own(ids);
    await this.#audit.changed(principal, ...targetsOf(ids).map((target) => ({ action, target })));
    return own;
  }

  #own(ids: readonly string[]): readonly number[] {
    const own = this.#delivery.own(ids);
    if (own !== undefined) return own;
    const elsewhere = ids.find((id) => this.#delivery.own([id]) === undefined);
    throw new ConflictException(`Dead letter ${elsewhere} is on another replica. Load the list again.`);
  }
}

function idsOf(body: unknown): readonly string[] {
  const choice = choiceSchema.safeParse(body);
  if (!choice.success)
    throw new BadRequestException('Send a JSON object with ids: the IDs of 1 to 1,000 dead letters.');
  return choice.data.ids;
}

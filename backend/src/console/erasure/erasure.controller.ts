import { BadRequestException, Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { CONSOLE_ERASURE_PATH, type Erased, type Erasure } from '../../contract/erasure-api.ts';
import { Audit } from '../auth/audit.ts';
import { Asking, ConsoleGuard } from '../auth/console.guard.ts';
import { Eraser } from './eraser.ts';
import { NO_NUL } from '../http/no-nul.ts';
import { SameOriginGuard } from '../auth/same-origin.guard.ts';
import type { Principal } from '../auth/principal.ts';

const eventId = z
  .string()
  .transform((text) => text.toLowerCase().replaceAll('-', ''))
  .pipe(z.string().regex(/^[\da-f]{32}$/));

const erasureSchema = z.union([
  z.strictObject({ user: z.string().trim().min(1).max(250).regex(NO_NUL) }),
  z.strictObject({ eventId }),
  z.strictObject({ before: z.iso.datetime({ offset: true }) }),
]);

/** Has a person, an event, or all that is older than a time forgotten. Operators only, as everything that changes. */
@Controller(CONSOLE_ERASURE_PATH)
@UseGuards(ConsoleGuard, SameOriginGuard)
export class ErasureController {
  readonly #erasing: Eraser;
  readonly #audit: Audit;

  constructor(erasing: Eraser, audit: Audit) {
    this.#erasing = erasing;
    this.#audit = audit;
  }

  @Post()
  @HttpCode(200)
  async erase(@Body() body: unknown, @Asking() visitor: Principal): Promise<Erased> {
    const erasure = erasureSchema.safeParse(body);
    if (!erasure.success)
      throw new BadRequestException(
        'Send a JSON object with one of user, eventId (32 hex digits) and before (a time, ISO 8601).',
      );
    await this.#audit.changed(visitor, { action: 'erase', ...deedOf(erasure.data) });
    return this.#erasing.erase(erasure.data, Date.now());
  }
}

/** Who is to be forgotten must not stand in the log instead. */
function deedOf(erasure: Erasure): { readonly target: string | null; readonly detail: string } {
  if ('user' in erasure) return { target: null, detail: 'a person' };
  if ('eventId' in erasure) return { target: erasure.eventId, detail: 'an event' };
  return { target: erasure.before, detail: 'all before' };
}

import { BadRequestException, Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import {
  CONSOLE_ERASURE_PATH,
  type Erased,
  type Erasure,
  type ErasureMatches,
} from '../../contract/erasure-api.ts';
import { projectName } from '../../contract/project-name.ts';
import { Audit } from '../auth/audit.ts';
import { ConsoleGuard, CurrentUser } from '../auth/console.guard.ts';
import { Eraser } from './eraser.ts';
import { NO_NUL } from '../http/paging.ts';
import { SameOriginGuard } from '../auth/same-origin.guard.ts';
import type { Principal } from '../auth/principal.ts';

const eventId = z
  .string()
  .transform((text) => text.toLowerCase().replaceAll('-', ''))
  .pipe(z.string().regex(/^[\da-f]{32}$/));

/** A canonical DSN. */
const project = z
  .string()
  .max(4_096)
  .regex(/^[^\s\0]+$/)
  .exactOptional();

const erasureSchema = z.union([
  z.strictObject({ user: z.string().trim().min(1).max(250).regex(NO_NUL), project }),
  z.strictObject({ eventId, project }),
  z.strictObject({ before: z.iso.datetime({ offset: true }), project }),
]);

/** Erases data by user, event or age. Operators only, like every change. */
@Controller(CONSOLE_ERASURE_PATH)
@UseGuards(ConsoleGuard, SameOriginGuard)
export class ErasureController {
  readonly #eraser: Eraser;
  readonly #audit: Audit;

  constructor(eraser: Eraser, audit: Audit) {
    this.#eraser = eraser;
    this.#audit = audit;
  }

  @Post()
  @HttpCode(200)
  async erase(@Body() body: unknown, @CurrentUser() principal: Principal): Promise<Erased> {
    const erasure = erasureIn(body);
    await this.#audit.changed(principal, { action: 'erase', ...actionOf(erasure) });
    return this.#eraser.erase(erasure, Date.now());
  }

  @Post('matches')
  @HttpCode(200)
  async matches(@Body() body: unknown, @CurrentUser() principal: Principal): Promise<ErasureMatches> {
    const erasure = erasureIn(body);
    const { target, detail } = actionOf(erasure);
    this.#audit.hasRead(principal, { action: 'find', target, detail: `to erase: ${detail}` });
    return { projects: await this.#eraser.matches(erasure, Date.now()) };
  }
}

/** @throws BadRequestException */
function erasureIn(body: unknown): Erasure {
  const erasure = erasureSchema.safeParse(body);
  if (erasure.success) return erasure.data;
  throw new BadRequestException(
    'Send a JSON object with one of user, eventId (32 hex digits) and before (a time, ISO 8601), and project (a DSN) if it is for one only.',
  );
}

/** Returns target and detail of the audit entry. The name of an erased user must not stay in the audit log. */
function actionOf(erasure: Erasure): { readonly target: string | null; readonly detail: string } {
  const where = erasure.project === undefined ? '' : ` in ${projectName(erasure.project)}`;
  if ('user' in erasure) return { target: null, detail: `user${where}` };
  if ('eventId' in erasure) return { target: erasure.eventId, detail: `event${where}` };
  return { target: erasure.before, detail: `everything before${where}` };
}

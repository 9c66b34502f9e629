import { Controller, Delete, Get, HttpCode, NotFoundException, Param, UseGuards } from '@nestjs/common';
import { CONSOLE_SESSIONS_PATH, type SessionList } from '../../contract/access-api.ts';
import { Audit } from './audit.ts';
import { ConsoleGuard, CurrentUser, ForRole } from './console.guard.ts';
import type { Principal } from './principal.ts';
import { SameOriginGuard } from './same-origin.guard.ts';
import { Sessions } from './sessions.ts';

/** Lists and revokes sessions. */
@Controller(CONSOLE_SESSIONS_PATH)
@UseGuards(ConsoleGuard, SameOriginGuard)
export class SessionsController {
  readonly #sessions: Sessions;
  readonly #audit: Audit;

  constructor(sessions: Sessions, audit: Audit) {
    this.#sessions = sessions;
    this.#audit = audit;
  }

  @Get()
  async list(@CurrentUser() principal: Principal): Promise<SessionList> {
    return { sessions: await this.#sessions.list(principal, Date.now()) };
  }

  /**
   * Revokes a session; support may revoke its own. Another user's session gets the same 404 as an unknown id, so that
   * ids cannot be probed.
   */
  @Delete(':id')
  @ForRole('support')
  @HttpCode(204)
  async revoke(@Param('id') id: string, @CurrentUser() principal: Principal): Promise<void> {
    const session = await this.#sessions.revocable(principal, id, Date.now());
    if (session === undefined) throw new NotFoundException('Session not found, or not yours to revoke.');
    await this.#audit.changed(principal, { action: 'revoke', target: session.who, detail: session.way });
    await this.#sessions.revoke(id);
  }
}

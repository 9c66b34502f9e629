import { Controller, Delete, Get, HttpCode, NotFoundException, Param, UseGuards } from '@nestjs/common';
import { CONSOLE_SESSIONS_PATH, type SessionList } from '../../contract/access-api.ts';
import { Sessions } from './sessions.ts';
import { Audit } from './audit.ts';
import { Asking, ConsoleGuard, ForRole } from './console.guard.ts';
import { SameOriginGuard } from './same-origin.guard.ts';
import type { Principal } from './principal.ts';

/** Who is signed in, and the end of it. */
@Controller(CONSOLE_SESSIONS_PATH)
@UseGuards(ConsoleGuard, SameOriginGuard)
export class SessionsController {
  readonly #access: Sessions;
  readonly #audit: Audit;

  constructor(access: Sessions, audit: Audit) {
    this.#access = access;
    this.#audit = audit;
  }

  @Get()
  async list(@Asking() visitor: Principal): Promise<SessionList> {
    return { sessions: await this.#access.sessions(visitor, Date.now()) };
  }

  /** Own ones by anybody. Another's is as unknown as none: it is not told which ids there are. */
  @Delete(':id')
  @ForRole('support')
  @HttpCode(204)
  async revoke(@Param('id') id: string, @Asking() visitor: Principal): Promise<void> {
    const session = await this.#access.endable(visitor, id, Date.now());
    if (session === undefined) throw new NotFoundException('There is no such session that you may end.');
    await this.#audit.changed(visitor, { action: 'revoke', target: session.who, detail: session.way });
    await this.#access.revoke(id);
  }
}

import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { type AuditList, CONSOLE_AUDIT_PATH } from '../../contract/access-api.ts';
import { numberOf } from '../http/paging.ts';
import { Audit } from './audit.ts';
import { ConsoleGuard, ForRole } from './console.guard.ts';

/** Lists the audit log, for operators. */
@Controller(CONSOLE_AUDIT_PATH)
@UseGuards(ConsoleGuard)
export class AuditController {
  readonly #audit: Audit;

  constructor(audit: Audit) {
    this.#audit = audit;
  }

  @Get()
  @ForRole('operator')
  list(@Query('cursor') cursor: unknown): Promise<AuditList> {
    return this.#audit.list(numberOf(cursor));
  }
}

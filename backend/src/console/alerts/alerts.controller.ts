import { Controller, Get, HttpCode, NotFoundException, Param, Post, UseGuards } from '@nestjs/common';
import { type AlertState, type AlertTestResult, CONSOLE_ALERTS_PATH } from '../../contract/alerts-api.ts';
import { Audit } from '../auth/audit.ts';
import { ConsoleGuard, CurrentUser, Polled } from '../auth/console.guard.ts';
import type { Principal } from '../auth/principal.ts';
import { SameOriginGuard } from '../auth/same-origin.guard.ts';
import { AlertReport } from './alert-report.ts';

/** Shows the targets of alerts, and tests one. */
@Controller(CONSOLE_ALERTS_PATH)
@UseGuards(ConsoleGuard, SameOriginGuard)
export class AlertsController {
  readonly #alerts: AlertReport;
  readonly #audit: Audit;

  constructor(alerts: AlertReport, audit: Audit) {
    this.#alerts = alerts;
    this.#audit = audit;
  }

  @Get()
  @Polled()
  state(): Promise<AlertState> {
    return this.#alerts.state();
  }

  @Post(':id/test')
  @HttpCode(200)
  async test(@Param('id') id: string, @CurrentUser() principal: Principal): Promise<AlertTestResult> {
    const channel = this.#alerts.channel(id);
    if (channel === undefined) throw new NotFoundException('The settings have no such target of alerts.');
    await this.#audit.changed(principal, { action: 'test_alert', target: channel.name });
    return this.#alerts.test(channel);
  }
}

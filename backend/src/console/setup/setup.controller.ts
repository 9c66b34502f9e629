import { BadRequestException, Controller, Get, Inject, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { CONSOLE_SETUP_PATH, type ProjectSetup, type Setup } from '../../contract/setup-api.ts';
import { Audit } from '../auth/audit.ts';
import { ConsoleGuard, CurrentUser } from '../auth/console.guard.ts';
import type { Principal } from '../auth/principal.ts';

/** Nest token of the {@link SetupSource}. */
export const SETUP_SOURCE = 'SetupSource';

/** What the server knows about itself for the set-up of applications. */
export interface SetupSource extends Pick<Setup, 'tunnel' | 'release'> {
  readonly projects: readonly KeyedProject[];
  /** Origin that the operator has set. */
  readonly publicUrl: string | null;
}

interface KeyedProject {
  /** Canonical DSN. */
  readonly project: string;
  readonly dsn: { readonly projectId: string };
  readonly serverKey?: string;
}

/**
 * Returns the values that connect an application with this server. Only operators get the server DSN: its key marks what
 * it sends as a server's. Each look at the key is in the audit log.
 */
@Controller(CONSOLE_SETUP_PATH)
@UseGuards(ConsoleGuard)
export class SetupController {
  readonly #source: SetupSource;
  readonly #audit: Audit;

  constructor(@Inject(SETUP_SOURCE) source: SetupSource, audit: Audit) {
    this.#source = source;
    this.#audit = audit;
  }

  @Get()
  setup(@Req() request: Request, @CurrentUser() user: Principal): Setup {
    const { projects, publicUrl, tunnel, release } = this.#source;
    const { baseUrl } = request;
    const url = URL.parse(baseUrl, publicUrl ?? `${request.protocol}://${request.host}`);
    if (url === null) throw new BadRequestException('The Host header is missing or invalid.');
    const isOperator = user.role === 'operator';
    if (isOperator) this.#audit.hasRead(user, { action: 'read', target: 'server key' });
    return {
      projects: projects.map((project) => setupOf(project, isOperator ? url : null)),
      origin: url.origin,
      tunnel: baseUrl + tunnel,
      release,
    };
  }
}

/** @param url of this server, with its base path; null leaves the server DSN out. */
function setupOf({ project, dsn, serverKey }: KeyedProject, url: URL | null): ProjectSetup {
  const serverDsn =
    url === null || serverKey === undefined
      ? null
      : `${url.protocol}//${serverKey}@${url.host}${url.pathname.replace(/\/$/, '')}/${dsn.projectId}`;
  return { project, browserDsn: project, serverDsn };
}

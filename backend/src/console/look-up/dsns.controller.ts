import { Get, Inject, UseGuards } from '@nestjs/common';
import { ConsoleController } from '../http/console-controller.ts';
import { CONSOLE_DSNS_PATH, type DsnList } from '../../contract/issues-api.ts';
import { ConsoleGuard } from '../auth/console.guard.ts';

/** Nest token of the {@link DsnList}. */
export const DSN_LIST = 'DsnList';

/** Returns the list of the configured projects. @param tunnel path of the tunnel. */
export function dsnList(projects: readonly { readonly project: string }[], tunnel: string): DsnList {
  return { dsns: projects.map(({ project }) => project), tunnel };
}

/** Lists the DSNs to signed-in users. A DSN's public key only allows sending events. */
@ConsoleController(CONSOLE_DSNS_PATH)
@UseGuards(ConsoleGuard)
export class DsnsController {
  readonly #list: DsnList;

  constructor(@Inject(DSN_LIST) list: DsnList) {
    this.#list = list;
  }

  @Get()
  list(): DsnList {
    return this.#list;
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import { resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { NestFactoryStatic } from '@nestjs/core/nest-factory.js';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, RequestHandler } from 'express';
import { CONSOLE_API, ConsoleModule } from './console.module.ts';
import { Sessions } from './console/auth/sessions.ts';
import { Errata } from './errata.ts';
import { DEFAULT_CLIENT_DIR } from './config/paths.ts';
import { errorHandling } from './errata.module.ts';
import { urlOf } from './health/listen-on.ts';
import { consolePages } from './web/console-pages.ts';

/**
 * The console in an application of others. Its API is a Nest application of its own, which never listens: guards,
 * interceptors, pipes, filters, prefix, versions and API description of the other application are for its own routes, and
 * would change or close those of the console.
 */
export class HostedConsole {
  /** Creates the API, and adds it and the console's pages to Express once there is one; nothing without HTTP. */
  static async open(this: void, parts: Errata, adapterHost: HttpAdapterHost): Promise<HostedConsole> {
    if (adapterHost.httpAdapter === null) return new HostedConsole();
    const api = new ExpressAdapter();
    const root = ConsoleModule.forRoot(parts);
    const opened = { provide: Errata, useValue: parts };
    const module = { ...root, providers: [...(root.providers ?? []), opened, ...errorHandling()] };
    const options = { bodyParser: false, abortOnError: false, autoFlushLogs: false };
    muteHidden();
    const application = await hidden.run(true, async () =>
      // Not Nest's common factory: it keeps the options of the application that it has created last.
      (await new NestFactoryStatic().create(module, api, options)).init(),
    );
    const { isOpen } = application.get(Sessions);
    const { dataDir, databaseUrl } = parts.options.config;
    const store = databaseUrl === null ? '' : ', store: the PostgreSQL of DATABASE_URL';
    adapterHost.listen$.subscribe(() => {
      const console = `${urlOf(adapterHost.httpAdapter.getHttpServer() as Server)}/console`;
      const state = isOpen ? '' : ' (closed: set ERRATA_CONSOLE_TOKEN, 16 characters or more)';
      new Logger('Errata').log(`Console: ${console}${state}, data: ${resolve(dataDir)}${store}`);
    });
    adapterHost.init$.subscribe(() => {
      const { httpAdapter } = adapterHost;
      httpAdapter.use(consolePages(DEFAULT_CLIENT_DIR, parts.browserSettings));
      httpAdapter.use(CONSOLE_API, withoutMount(api.getInstance<Express>()));
    });
    return new HostedConsole();
  }
}

/** Whether code runs for the start of the hidden application. */
const hidden = new AsyncLocalStorage<true>();
let isMuted = false;

/**
 * Keeps the lines that Nest writes about the hidden application (its start, modules and routes) out of the log: they would stand
 * there twice. Nest has no option for that, as its levels are those of the whole process. The method of the prototype stays
 * replaced, because another library may have replaced it after this one.
 */
function muteHidden(): void {
  if (isMuted) return;
  isMuted = true;
  // oxlint-disable-next-line typescript/unbound-method -- It is called with the logger as `this`.
  const log: (this: Logger, ...logged: Parameters<Logger['log']>) => void = Logger.prototype.log;
  Logger.prototype.log = function (this: Logger, ...logged: Parameters<Logger['log']>): void {
    if (hidden.getStore() !== true) log.apply(this, logged);
  };
}

/**
 * Returns a handler that hands requests below a mount on as if there was none: the console has whole paths, and its links,
 * cookies and redirects begin at the root. Express would call an application with the mount as `baseUrl`, and give it back
 * to each of its layers.
 */
function withoutMount(application: Express): RequestHandler {
  return (request, response, next) => {
    request.url = request.baseUrl + request.url;
    request.baseUrl = '';
    application(request, response, next);
  };
}

import { type DynamicModule, Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { pinoHttp } from 'pino-http';
import { ErrorReporting } from '../error-reporting.ts';
import { ErrorReportingModule } from '../error-reporting.module.ts';
import { DEFAULT_CLIENT_DIR } from '../parts/paths.ts';
import { frameworkLog } from '../telemetry/log.ts';
import { requestLog } from '../telemetry/request-log.ts';
import { WebModule } from '../web/web.module.ts';

/** The application: error reporting, and the client. */
@Module({})
export class AppModule implements NestModule {
  readonly #adapterHost: HttpAdapterHost;
  readonly #parts: ErrorReporting;

  constructor(adapterHost: HttpAdapterHost, parts: ErrorReporting) {
    this.#adapterHost = adapterHost;
    this.#parts = parts;
  }

  static forRoot(parts: ErrorReporting): DynamicModule {
    const { clientDir, log } = parts.options;
    return {
      module: AppModule,
      imports: [
        // Only provides Nest's logger; configure() adds the middleware.
        LoggerModule.forRoot({ pinoHttp: { logger: frameworkLog(log) }, forRoutes: [] }),
        ErrorReportingModule.forRoot(parts),
        WebModule.forRoot({ clientDir, builtInDir: DEFAULT_CLIENT_DIR, settings: parts.browserSettings }),
      ],
    };
  }

  /** Adds the request log to Express before every other middleware, so that pages of web/ are logged too. */
  configure(): void {
    this.#adapterHost.httpAdapter.use(pinoHttp(requestLog(this.#parts.options.log)));
  }
}

import { type DynamicModule, Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import { pinoHttp } from 'pino-http';
import { ErrorReporting } from '../error-reporting.ts';
import { ErrorReportingModule } from '../error-reporting.module.ts';
import { DEFAULT_CLIENT_DIR } from '../parts/paths.ts';
import type { Log } from '../telemetry/log.ts';
import { requestLog } from '../telemetry/request-log.ts';
import { WebModule } from '../web/web.module.ts';

/** The application: error reporting, and the client it delivers. */
@Module({})
export class AppModule implements NestModule {
  readonly #adapterHost: HttpAdapterHost;
  readonly #parts: ErrorReporting;

  constructor(adapterHost: HttpAdapterHost, parts: ErrorReporting) {
    this.#adapterHost = adapterHost;
    this.#parts = parts;
  }

  static forRoot(parts: ErrorReporting): DynamicModule {
    const { config, clientDir, release, log } = parts.options;
    const [own] = parts.projects;
    const settings = {
      dsn: own.project,
      tunnel: config.tunnelPath,
      release,
      environment: config.environment,
      demo: config.demo,
    };
    return {
      module: AppModule,
      imports: [
        // Gives Nest its logger; the middleware is mounted below.
        LoggerModule.forRoot({ pinoHttp: { logger: frameworkLog(log) }, forRoutes: [] }),
        ErrorReportingModule.forRoot(parts),
        WebModule.forRoot({ clientDir, builtInDir: DEFAULT_CLIENT_DIR, settings }),
      ],
    };
  }

  /** Straight to Express, and first: the pages that web/ answers are logged too. Envelopes never come this far. */
  configure(): void {
    this.#adapterHost.httpAdapter.use(pinoHttp(requestLog(this.#parts.options.log)));
  }
}

/** Nest tells of every module and route at `info`, some forty lines a start: they are for who asks for `debug`. */
function frameworkLog(log: Log): Log {
  return log.level === 'info' ? log.child({}, { level: 'warn' }) : log;
}

import { type DynamicModule, Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import type { ErrorReporting } from './error-reporting.ts';
import { ErrorReportingModule } from './error-reporting.module.ts';
import { requestLog } from './telemetry/request-log.ts';
import { WebModule } from './web/web.module.ts';

/** The application: error reporting, and the client it delivers. */
@Module({})
export class AppModule {
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
        LoggerModule.forRoot({ pinoHttp: requestLog(log), exclude: [config.tunnelPath] }),
        ErrorReportingModule.forRoot(parts),
        WebModule.forRoot({ clientDir, settings }),
      ],
    };
  }
}

import { type DynamicModule, Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { ConsoleModule } from '../console.module.ts';
import { Errata } from '../errata.ts';
import { DEFAULT_CLIENT_DIR } from '../config/paths.ts';
import { ErrataModule } from '../errata.module.ts';
import { frameworkLog } from '../telemetry/log.ts';
import { TunnelModule } from '../tunnel/tunnel.module.ts';
import { countBy } from '../telemetry/metrics.ts';
import { servedClients } from '../web/served-clients.ts';
import { STORED_FILE_SOURCES, StoredFiles } from '../web/stored-files.ts';
import { WebModule } from '../web/web.module.ts';
import { problemOf } from './client-dir.ts';

/** The application: error reporting, and the client. */
@Module({})
export class AppModule {
  static forRoot(parts: Errata): DynamicModule {
    const { clientDir, log, config, metrics } = parts.options;
    const served = servedClients({
      clientDir,
      builtInDir: DEFAULT_CLIENT_DIR,
      settings: parts.browserSettings,
      clientRelease: config.release,
      httpsOnly: config.hsts,
      routes: config.clientRoutes,
      policyMode: config.csp,
      policyExtra: config.cspExtra,
      stored: new StoredFiles(parts.store, countBy(metrics.clientFiles, STORED_FILE_SOURCES)),
      onReload: (error) => {
        if (error === undefined) {
          log.info({ clientDir }, 'client_read_again');
          void parts.clientCopy.clientChanged();
        } else log.warn({ clientDir, problem: problemOf(error) }, 'client_not_read_again');
      },
    });
    parts.clientCopy.useFilesOf(() => served.clients.map(({ hashed }) => hashed()));
    parts.errorPages.useNotFoundOf(served.notFound);
    return {
      module: AppModule,
      imports: [
        // Only provides Nest's logger; servers.ts adds the middleware.
        LoggerModule.forRoot({ pinoHttp: { logger: frameworkLog(log) }, forRoutes: [] }),
        ErrataModule.forRoot({ provide: Errata, useValue: parts }, config.demo),
        TunnelModule.forRoot(parts.tunnel),
        ConsoleModule.forRoot(parts),
        WebModule.forRoot(served),
      ],
    };
  }
}

// First: its check comes before all others run.
import './config/require-node.ts';
import cluster from 'node:cluster';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DynamicModule,
  type FactoryProvider,
  Logger,
  Module,
  type ModuleMetadata,
} from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { readHostConfig } from './config/host-settings.ts';
import { Errata } from './errata.ts';
import { ErrorReporter, whileOpen } from './errors/error-reporter.ts';
import { HostedConsole } from './hosted-console.ts';
import { HostManagement } from './health/host-management.ts';
import { DEFAULT_CLIENT_DIR } from './config/paths.ts';
import { ErrataModule } from './errata.module.ts';
import { held, WITHOUT_HTTP } from './script-process.ts';
import { createLog } from './telemetry/log.ts';
import { Metrics } from './telemetry/metrics.ts';

export { ErrorReporter, report, type ReportData, type ReportedError } from './errors/error-reporter.ts';

/** Options of the module in another application. */
export interface ErrorReportingModuleOptions {
  /** Release of the application, such as `shop@4.2.0`. By default `SENTRY_RELEASE`, then name and version of its package.json. */
  readonly release?: string | undefined;
  /** Absolute path of the application; file names in digests are relative to it. By default the working directory. */
  readonly applicationRoot?: string | undefined;
  /** Folder of the application's built client, with its error pages and source maps. By default `ERRATA_CLIENT_DIR`. */
  readonly clientDir?: string | undefined;
  /**
   * Settings by the name of their environment variable (docs/configuration.md). They come before the environment; an
   * undefined one has its default.
   */
  readonly settings?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Whether the module records failures outside of requests and then ends the process with status 1, as Node does. It does
   * so unless this is false.
   */
  readonly recordsProcessFailures?: boolean | undefined;
}

/** Options that depend on other providers, such as Nest's ConfigService. */
export interface ErrorReportingModuleAsyncOptions
  extends
    Pick<ModuleMetadata, 'imports'>,
    Pick<FactoryProvider<ErrorReportingModuleOptions>, 'inject' | 'useFactory'> {}

/** Release of an application that names none: it has no package.json where it runs. */
const UNKNOWN_RELEASE = 'unknown';

/**
 * Error reporting for another Nest application: error pages with digests, the tunnel, and the console, and for each of its
 * modules an {@link ErrorReporter}. The types of this module are public, so they name no part of Errata.
 */
@Module({})
export class ErrorReportingModule {
  /**
   * Opens spool and store while Nest creates its providers; a fault stops the start with one line for each setting. Only then
   * the environment is read, which ConfigModule.forRoot() may fill from .env, before or behind this module.
   */
  static forRoot(options: ErrorReportingModuleOptions = {}): DynamicModule {
    return forFactory({ useFactory: () => options }, options.settings);
  }

  /** Does the same with options from other providers. `ERRATA_DEMO` is read from the environment, when this is called. */
  static forRootAsync(options: ErrorReportingModuleAsyncOptions): DynamicModule {
    return forFactory(options);
  }
}

/** @param early settings that decide about routes: Nest reads a module's controllers before it creates providers. */
function forFactory(
  { imports = [], inject = [], useFactory }: ErrorReportingModuleAsyncOptions,
  early: ErrorReportingModuleOptions['settings'] = {},
): DynamicModule {
  const opened = {
    provide: Errata,
    inject: [HttpAdapterHost, ModulesContainer, ...inject],
    useFactory: async (host: HttpAdapterHost, modules: ModulesContainer, ...injected: unknown[]) => {
      const options = await useFactory(...injected);
      return held(open(options, host, modules)).catch(onlyMessage);
    },
  };
  const demo = { ...process.env, ...early }['ERRATA_DEMO'] === 'on';
  const parts = ErrataModule.forRoot(opened, demo, imports);
  const management = {
    provide: HostManagement,
    inject: [Errata, HttpAdapterHost],
    useFactory: openManagement,
  };
  const hosted = {
    provide: HostedConsole,
    inject: [Errata, HttpAdapterHost],
    useFactory: HostedConsole.open,
  };
  const reporter = {
    provide: ErrorReporter,
    inject: [Errata],
    useFactory: ({ failureRecorder }: Errata) => whileOpen(failureRecorder),
  };
  return {
    module: ErrorReportingModule,
    global: true,
    imports: [parts],
    providers: [hosted, management, reporter],
    exports: [ErrorReporter],
  };
}

/** The second one would find its data directory in use, by this very process. @throws Error. */
function requireOnce(modules: ModulesContainer): void {
  const times = [...modules.values()].filter(({ metatype }) => metatype === ErrorReportingModule).length;
  if (times === 1) return;
  throw new Error(
    `Import ErrorReportingModule.forRoot() once, in the root module; it is imported ${times} times`,
  );
}

/** @param options null or undefined from a factory without types, or one that forgets its return. */
async function open(
  options: ErrorReportingModuleOptions | null | undefined,
  { httpAdapter }: HttpAdapterHost,
  modules: ModulesContainer,
): Promise<Errata> {
  requireOnce(modules);
  if (typeof options !== 'object' || options === null)
    throw new Error(
      'The factory of ErrorReportingModule.forRootAsync() returned no options; return {} for none',
    );
  // The testing module sets the adapter later; without HTTP (application context, microservice) Nest sets null.
  const adapter: string = httpAdapter?.getType() ?? 'express';
  if (adapter !== 'express') {
    throw new Error(`Errata needs the adapter of @nestjs/platform-express; this application has: ${adapter}`);
  }
  const isWithoutHttp = httpAdapter === null;
  const { config, ignored } = readHostConfig(process.env, options.settings ?? {}, !isWithoutHttp);
  for (const line of ignored) new Logger('Errata').warn(line);
  if (!isWithoutHttp && config.databaseUrl === null && isOneOfSeveral()) new Logger('Errata').warn(ALONE);
  const { applicationRoot = process.cwd(), recordsProcessFailures = true } = options;
  const parts = await Errata.open({
    config,
    applicationRoot,
    clientDir: options.clientDir ?? config.clientDir ?? DEFAULT_CLIENT_DIR,
    release: options.release ?? config.release ?? packageOf(applicationRoot),
    log: createLog(config.logLevel),
    metrics: new Metrics(),
    recordsProcessFailures,
    isHosted: true,
    ...(isWithoutHttp && WITHOUT_HTTP),
  });
  ignoreInGit(config.dataDir);
  return parts;
}

/** Servers behind one port would each have a store of its own: a console shows the errors of one of them. */
const ALONE =
  'DATABASE_URL: missing, so that the console shows only the errors of the process that answers; set it for all processes of ' +
  'a cluster (docs/architecture.md, "Several processes")';

/** Whether the server is a worker of node:cluster, as with PM2, or a further process of PM2 without it. */
function isOneOfSeveral(): boolean {
  return cluster.isWorker || Number(process.env['NODE_APP_INSTANCE'] ?? 0) > 0;
}

/** Keeps the data directory, by default inside of the application, out of its commits: it holds personal data. */
function ignoreInGit(directory: string): void {
  try {
    writeFileSync(join(directory, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // It is there, or the disk is full: no reason to stop the application.
  }
}

/** Opens the management port. After a failure the parts are closed, for an application that goes on without this module. */
function openManagement(parts: Errata, host: HttpAdapterHost): Promise<HostManagement> {
  return HostManagement.open(parts, host).catch(async (error: unknown) => {
    await parts.close();
    return onlyMessage(error);
  });
}

/** Returns `name@version` of the application. */
function packageOf(applicationRoot: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(applicationRoot, 'package.json'), 'utf8'));
    const { name, version } = manifest as { readonly name?: unknown; readonly version?: unknown };
    return `${String(name)}@${String(version)}`;
  } catch {
    return UNKNOWN_RELEASE;
  }
}

/**
 * Throws only the message: Nest prints the error of a failed start with its causes and their stacks, which say nothing about a
 * setting. It prints nothing with `logger: false`, so that the line is written here.
 */
function onlyMessage(error: unknown): never {
  const fault = new Error(error instanceof Error ? error.message : String(error));
  Reflect.deleteProperty(fault, 'stack');
  if (!Logger.isLevelEnabled('error')) process.stderr.write(`${fault.message}\n`);
  throw fault;
}

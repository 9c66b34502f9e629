import {
  type DynamicModule,
  type InjectionToken,
  Logger,
  Module,
  type ModuleMetadata,
  type NestModule,
  NotFoundException,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Provider,
  RequestMethod,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import { DEMO_SERVER_ERROR_PATH } from './contract/routes.ts';
import { Errata } from './errata.ts';
import { AllExceptionsFilter } from './errors/all-exceptions.filter.ts';
import { DemoController } from './errors/demo.controller.ts';
import { ErrorHandling } from './errors/error-handling.ts';
import type { ReportedError } from './errors/error-reporter.ts';
import { FailureRecorder } from './errors/failure-recorder.ts';
import { rejectionOf } from './errors/http-rejection.ts';
import { recordProcessFailures } from './errors/process-failures.ts';
import { flushAtSignals } from './reporting/flush-at-signals.ts';
import { closeAtEnd } from './script-process.ts';
import { TunnelController } from './tunnel/tunnel.controller.ts';

/**
 * The parts of {@link Errata} in a Nest application: the global exception filter with digests, and in an application of
 * others the tunnel, as a middleware. {@link ErrorReportingModule} brings them there, AppModule into Errata's own.
 */
@Module({})
export class ErrataModule implements NestModule, OnApplicationBootstrap, OnApplicationShutdown {
  readonly #parts: Errata;
  readonly #adapterHost: HttpAdapterHost;
  readonly #application: ApplicationConfig;
  /** Remove the listeners of the process. */
  readonly #leave: (() => void)[] = [];

  /**
   * Lets another application serve the tunnel before its parsers (docs/decisions/004). The middleware is Express's own:
   * Nest's is mounted below the application's prefix and versions. Nest adds its parser later, when it initialises the
   * application, so that bodies of these paths are still unread here.
   */
  constructor(parts: Errata, adapterHost: HttpAdapterHost, application: ApplicationConfig) {
    this.#parts = parts;
    this.#adapterHost = adapterHost;
    this.#application = application;
    if (parts.options.isHosted !== true) return;
    const tunnel = new TunnelController(parts.tunnel);
    // The testing module sets the adapter after it has created the providers. Without HTTP there is none.
    adapterHost.init$.subscribe(() => adapterHost.httpAdapter?.use(tunnel.serve.bind(tunnel)));
  }

  /**
   * @param opened provides {@link Errata}. @param demo whether the page exists that fails on purpose. @param imports modules that
   * `opened` injects from.
   */
  static forRoot(
    opened: Provider<Errata>,
    demo: boolean,
    imports: NonNullable<ModuleMetadata['imports']> = [],
  ): DynamicModule {
    return {
      module: ErrataModule,
      imports,
      controllers: demo ? [DemoController] : [],
      providers: [opened, ...errorHandling()],
      exports: [Errata],
    };
  }

  /** Keeps the demo where it is documented, under any prefix of the application; its route does not exist yet. */
  configure(): void {
    if (!this.#parts.options.config.demo) return;
    const pathRegex = new RegExp(`^${DEMO_SERVER_ERROR_PATH}$`);
    const own = { path: DEMO_SERVER_ERROR_PATH, pathRegex, requestMethod: RequestMethod.ALL };
    const { exclude = [], ...others } = this.#application.getGlobalPrefixOptions();
    this.#application.setGlobalPrefixOptions({ ...others, exclude: [...exclude, own] });
  }

  onApplicationBootstrap(): void {
    // Nest's own handler of unknown paths serves only those below the prefix.
    if (this.#application.getGlobalPrefix() !== '') this.#adapterHost.httpAdapter.use(this.#notFound);
    this.#parts.start();
    const { reporter, failureRecorder, options } = this.#parts;
    if (options.isHosted === true) this.#leave.push(flushAtSignals(() => reporter.flush()));
    if (options.isWithoutHttp === true) this.#leave.push(closeAtEnd(() => this.#parts.close()));
    if (options.recordsProcessFailures === false) return;
    this.#leave.push(recordProcessFailures(failureRecorder, this.#endProcess));
  }

  async onApplicationShutdown(): Promise<void> {
    for (const leave of this.#leave) leave();
    await this.#parts.close();
  }

  readonly #notFound = (request: Request, response: Response): void => {
    const thrown = new NotFoundException(`Cannot ${request.method} ${request.originalUrl}`);
    this.#parts.errorResponse.sendRejection(request, response, rejectionOf(thrown, 404));
  };

  /** Ends as Node does after such a failure, once its report is on disk. */
  readonly #endProcess = async ({ kept }: ReportedError): Promise<void> => {
    await kept;
    this.#parts.options.log.flush();
    process.exit(1);
  };
}

/** Returns the providers of the global exception filter; {@link Errata} must be a provider beside them. */
export function errorHandling(): Provider[] {
  return [
    fromParts(FailureRecorder, ({ failureRecorder }) => failureRecorder),
    fromParts(AllExceptionsFilter, ({ failureRecorder, errorResponse, options }) => {
      const logger = options.isHosted === true ? new Logger('Errata') : undefined;
      return new AllExceptionsFilter(failureRecorder, errorResponse, Errata.isUnavailable, logger);
    }),
    {
      provide: ErrorHandling,
      inject: [AllExceptionsFilter, HttpAdapterHost, ApplicationConfig],
      useFactory: (...parts: ConstructorParameters<typeof ErrorHandling>) => new ErrorHandling(...parts),
    },
  ];
}

function fromParts<T>(provide: InjectionToken<T>, useFactory: (parts: Errata) => T): Provider {
  return { provide, useFactory, inject: [Errata] };
}

import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import {
  All,
  type ArgumentsHost,
  BadRequestException,
  type CallHandler,
  Catch,
  Controller,
  type DynamicModule,
  type ExceptionFilter,
  Get,
  HttpException,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import { FileInterceptor } from '@nestjs/platform-express';
import { SentryGlobalFilter } from '@sentry/nestjs/setup';
import type { NextFunction, Request, Response } from 'express';
import { catchError, type Observable, of } from 'rxjs';

/** The request that the test sends: its failure, and the place in the application that throws it. */
export const request = {
  fail: (): unknown => undefined,
  arrived: Promise.withResolvers<Response>(),
};
const fail = (): unknown => request.fail();

/** Answers as an application does that has its own form of errors. */
class OwnFilter implements ExceptionFilter {
  readonly #status: number;

  constructor(status: number) {
    this.#status = status;
  }

  catch(_: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().type('text/own').writeHead(this.#status).end('own');
  }
}

/** Only errors of this class reach a global filter that fails itself. */
export class FilterError extends Error {}

@Catch(FilterError)
class FailingFilter implements ExceptionFilter {
  catch(thrown: unknown): never {
    throw thrown;
  }
}

@Catch()
class ThrowingFilter extends FailingFilter {}

@Catch()
export class ExtendingFilter extends BaseExceptionFilter {}

@Catch()
class RefusingFilter implements ExceptionFilter {
  catch(): never {
    throw new BadRequestException();
  }
}

/** Shows the digest that it finds. */
@Catch()
class ShowingFilter implements ExceptionFilter {
  catch(_: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    response.status(500).end(response.getHeader('x-errata-digest'));
  }
}

/** Only errors of this class reach the application's `APP_FILTER`. */
export class OrderError extends Error {}

@Catch(OrderError)
class OrderFilter extends OwnFilter {
  constructor() {
    super(409);
  }
}

const mapping = {
  intercept: (_: unknown, next: CallHandler): Observable<unknown> =>
    next.handle().pipe(catchError(() => of('mapped'))),
};
const failingInterceptor = { intercept: async () => (await fail()) as Observable<never> };
const failingGuard = { canActivate: async () => (await fail()) === undefined };
const failingPipe = { transform: fail };

@Controller()
class HostController {
  @Get('controller')
  controller(): unknown {
    return fail();
  }

  @UseFilters(new OwnFilter(422))
  @Get('own-422')
  own422(): unknown {
    return fail();
  }

  @UseFilters(new OwnFilter(500))
  @Get('own-500')
  own500(): unknown {
    return fail();
  }

  @UseFilters(new ThrowingFilter())
  @Get('own-throws')
  ownThrows(): unknown {
    return fail();
  }

  @UseFilters(ExtendingFilter)
  @Get('own-extends')
  ownExtends(): unknown {
    return fail();
  }

  @UseFilters(new RefusingFilter())
  @Get('own-refuses')
  ownRefuses(): unknown {
    return fail();
  }

  @UseFilters(new ShowingFilter())
  @Get('own-shows')
  ownShows(): unknown {
    return fail();
  }

  @UseFilters(SentryGlobalFilter)
  @Get('own-sentry')
  ownSentry(): unknown {
    return fail();
  }

  @UseInterceptors(mapping)
  @Get('mapped')
  mapped(): unknown {
    return fail();
  }

  @UseInterceptors(failingInterceptor)
  @Get('interceptor')
  interceptor(): void {}

  @UseGuards(failingGuard)
  @Get('guard')
  guard(): void {}

  @Get('pipe')
  pipe(@Query('id', failingPipe) id: unknown): unknown {
    return id;
  }

  @All('half')
  half(@Res() response: Response): unknown {
    response.write('the first half');
    return fail();
  }

  @Get('left')
  async left(@Res({ passthrough: true }) response: Response): Promise<unknown> {
    await once(response, 'close');
    return fail();
  }

  @UseInterceptors(FileInterceptor('file'))
  @Post('file')
  file(): void {}

  /** Fails after the body, whole or not. */
  @Post('upload')
  async upload(@Req() incoming: Request): Promise<unknown> {
    await finished(incoming.resume()).catch(() => {});
    return fail();
  }

  @UseFilters(new OwnFilter(500))
  @Post('own-upload')
  ownUpload(@Req() incoming: Request): Promise<unknown> {
    return this.upload(incoming);
  }

  /** Destroys the request, as a pipeline to a full disk does. */
  @Post('full')
  full(@Req() incoming: Request): unknown {
    incoming.destroy(new Error('no space left'));
    return fail();
  }

  @Get('moved')
  moved(): never {
    throw new HttpException({ to: '/elsewhere' }, 302);
  }

  @Get('unchanged')
  unchanged(): never {
    throw new HttpException('Not Modified', 304);
  }

  @Get('validated')
  validated(): never {
    throw new BadRequestException(['a is missing', 'b is too long']);
  }
}

@Module({})
class ImportedModule {}

/** Has its own global filter in the root module, and imports the error handling, as most applications do. */
@Module({})
export class HostModule implements NestModule {
  static with(errorHandling: Provider, imports: readonly Type[] = []): DynamicModule {
    return {
      module: HostModule,
      imports: [{ module: ImportedModule, providers: [errorHandling] }, ...imports],
      controllers: [HostController],
      providers: [
        { provide: APP_FILTER, useClass: OrderFilter },
        { provide: APP_FILTER, useClass: FailingFilter },
        { provide: ExtendingFilter, inject: [HttpAdapterHost], useFactory: extending },
        SentryGlobalFilter,
      ],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    const arrive = (_: Request, response: Response, next: NextFunction): void => {
      request.arrived.resolve(response);
      next();
    };
    consumer.apply(arrive).forRoutes('*path');
    consumer.apply(async () => void (await fail())).forRoutes('middleware');
  }
}

function extending({ httpAdapter }: HttpAdapterHost): ExtendingFilter {
  return new ExtendingFilter(httpAdapter);
}

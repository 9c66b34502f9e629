import { Readable } from 'node:stream';
import { types } from 'node:util';
import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { SSE_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { catchError, map, NEVER, type Observable, throwError } from 'rxjs';
import type { AllExceptionsFilter } from './all-exceptions.filter.ts';
import { httpAnswerOf } from './http-rejection.ts';

/**
 * Text of Nest's own handler, by which it is told from one that the application has set: Nest makes another function for each
 * file, and nothing else marks it. The spec checks this against the installed Nest.
 *
 * @see https://github.com/nestjs/nest/pull/9819
 * @see https://github.com/nestjs/nest/blob/master/packages/common/file-stream/streamable-file.ts
 */
const DEFAULT_HANDLER = textOf(new StreamableFile(new Uint8Array()));

/**
 * Passes the errors of streams to the exception filter, which Nest itself does not: it answers 400 to a file that cannot be
 * read, writes the end of server-sent events, and records neither. After the first byte the filter closes the connection, so
 * that no client takes a part for the whole.
 */
export class BrokenStreamInterceptor implements NestInterceptor {
  readonly #filter: Pick<AllExceptionsFilter, 'respond'>;
  readonly #reflector = new Reflector();

  constructor(filter: Pick<AllExceptionsFilter, 'respond'>) {
    this.#filter = filter;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const body = next.handle();
    if (context.getType() !== 'http') return body;
    if (this.#reflector.get<true | undefined>(SSE_METADATA, context.getHandler())) {
      return body.pipe(catchError((thrown: unknown) => this.#endEvents(thrown, context)));
    }
    return body.pipe(map((value: unknown) => this.#watched(value, context)));
  }

  /** Nest responds itself before the first byte, and sends the message of a 4xx to the client of the stream. */
  #endEvents(thrown: unknown, context: ExecutionContext): Observable<never> {
    const isRejection = Number(httpAnswerOf(thrown)?.status) < 500;
    if (isRejection || !responseOf(context).headersSent) return throwError(() => thrown);
    this.#fail(thrown, context);
    // The connection is closed, and Nest then leaves the stream by itself. An end would be written to it.
    return NEVER;
  }

  #fail(thrown: unknown, context: ExecutionContext): void {
    this.#filter.respond(thrown, context.switchToHttp().getRequest<Request>(), responseOf(context));
  }

  /** Returns the body to send: the one that the handler returned, or a generator around it. */
  #watched(body: unknown, context: ExecutionContext): unknown {
    // Nest responds itself to what fails before the first byte.
    const fail = (thrown: unknown): void => {
      if (responseOf(context).headersSent) this.#fail(thrown, context);
    };
    if (isAsyncGenerator(body)) return watchedGenerator(body, fail);
    if (body instanceof StreamableFile) this.#watchFile(body, context);
    else if (body instanceof Readable) body.once('error', fail);
    return body;
  }

  /** A handler that the application has set stays, and responds in its own way. */
  #watchFile(file: StreamableFile, context: ExecutionContext): void {
    const isDefault = textOf(file) === DEFAULT_HANDLER;
    const handler = file.errorHandler;
    file.setErrorHandler((error, response) => {
      // All bytes were read, or the client has left: no error of the response.
      const isOver = response.destroyed || file.getStream().readableEnded;
      if (isOver || !isDefault) handler(error, response);
      else this.#fail(error, context);
    });
  }
}

function responseOf(context: ExecutionContext): Response {
  return context.switchToHttp().getResponse<Response>();
}

function textOf(file: StreamableFile): string {
  return Function.prototype.toString.call(file.errorHandler);
}

function isAsyncGenerator(value: unknown): value is AsyncGenerator {
  return types.isGeneratorObject(value) && Symbol.asyncIterator in value;
}

/** Yields what a generator yields, and passes on its error. Nest ends the one that the handler returned after the response. */
async function* watchedGenerator(generator: AsyncGenerator, fail: (thrown: unknown) => void): AsyncGenerator {
  try {
    yield* generator;
  } catch (thrown) {
    fail(thrown);
    throw thrown;
  }
}

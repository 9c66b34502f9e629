import { EventEmitter, once } from 'node:events';
import { request as send } from 'node:http';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { ExceptionFilter, INestApplication, Type } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, NestFactory } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import type { Response as ExpressResponse } from 'express';
import { lastValueFrom, type Observable } from 'rxjs';
import type { ReportContext } from '../reporting/server-reporter.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { AllExceptionsFilter } from './all-exceptions.filter.ts';
import { ErrorHandling } from './error-handling.ts';
import { openReporter } from './error-reporter.ts';
import { ERROR_PAGES } from './error-pages.fixture.ts';
import { ErrorResponse } from './error-response.ts';
import { FailureRecorder } from './failure-recorder.ts';
import { HostModule, request } from './host-module.fixture.ts';
import { recordProcessFailures } from './process-failures.ts';
import { callResolver } from './resolver-call.fixture.ts';

export class Unavailable extends Error {}

/** What Nest's own filters of RPC and WebSockets answer to an unknown error. */
export const NESTS_ANSWER = 'Internal server error';

/** Another Nest application with the error handling, and the answers, log records and reports of its failures. */
export class HostApplication {
  readonly #application: INestApplication;
  readonly #recorder: FailureRecorder;
  readonly #leave: () => void;
  readonly lines: Readonly<Record<string, unknown>>[];
  readonly reports: ReportContext[];
  /** Lines of the application's logger. */
  readonly logged: string[];

  private constructor(
    application: INestApplication,
    recorder: FailureRecorder,
    { lines, reports, logged }: Pick<HostApplication, 'lines' | 'reports' | 'logged'>,
  ) {
    this.#application = application;
    this.#recorder = recorder;
    this.#leave = openReporter(recorder);
    this.lines = lines;
    this.reports = reports;
    this.logged = logged;
  }

  /** @param imports modules that use other libraries. */
  static async start(...imports: readonly Type[]): Promise<HostApplication> {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const reports: ReportContext[] = [];
    const logged: string[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _, done) {
        lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
        done();
      },
    });
    const report = async (_: unknown, context: ReportContext): Promise<void> => void reports.push(context);
    const recorder = new FailureRecorder({ report }, createLog('info', sink), new Metrics(), '/');
    const isUnavailable = (thrown: unknown): boolean => thrown instanceof Unavailable;
    const filter = new AllExceptionsFilter(recorder, new ErrorResponse(ERROR_PAGES, () => 0), isUnavailable, {
      error: (line: string) => logged.push(line),
    });
    const errorHandling = {
      provide: ErrorHandling,
      inject: [HttpAdapterHost, ApplicationConfig],
      useFactory: (...parts: readonly [HttpAdapterHost, ApplicationConfig]) =>
        new ErrorHandling(filter, ...parts),
    };
    const module = HostModule.with(errorHandling, imports);
    const application = await NestFactory.create(module, { logger: false, abortOnError: false });
    await application.listen(0, '127.0.0.1');
    return new HostApplication(application, recorder, { lines, reports, logged });
  }

  /** Lines that the logger must have: one of each record of a request. */
  get linesToLog(): readonly string[] {
    const failed = this.lines.filter(({ msg }) => msg === 'request_failed');
    return failed.map(({ method, path, status, digest }) =>
      [method, path, status, 'digest', digest].join(' '),
    );
  }

  /** Returns a provider of the modules that use other libraries. */
  get<T>(type: Type<T>): T {
    return this.#application.get(type, { strict: false });
  }

  url(): Promise<string> {
    return this.#application.getUrl();
  }

  close(): Promise<void> {
    this.#leave();
    return this.#application.close();
  }

  /** Lets the next request fail, and forgets those before. */
  prepare(fail: () => unknown): void {
    Object.assign(request, { fail, arrived: Promise.withResolvers<ExpressResponse>() });
    this.lines.length = 0;
    this.reports.length = 0;
    this.logged.length = 0;
  }

  /** Returns status, media type and whether the digest is that of the record and the report. */
  async http(path: string, method = 'GET'): Promise<string> {
    const answer = await this.fetch(path, method)
      .then(
        async (response) => ({ response, text: await response.text() }),
        () => null,
      )
      .catch(() => null);
    await this.#closed();
    if (answer === null) return 'closed';
    const { response, text } = answer;
    const [type] = (response.headers.get('content-type') ?? '').split(';', 1);
    const digest = response.headers.get('x-errata-digest');
    const isRecorded = digest !== null && digest === this.lines[0]?.['digest'];
    const isReported = isRecorded && digest === this.reports[0]?.digest;
    const extent = method === 'HEAD' && text === '' ? ' without body' : '';
    const leak = isReported && text.includes('secret') ? ' with the message' : '';
    return `${response.status} ${type}${isReported ? ' with digest' : ''}${extent}${leak}`;
  }

  async fetch(path: string, method = 'GET', accept = 'application/json'): Promise<Response> {
    const headers = { accept };
    return fetch(`${await this.url()}/${path}`, { redirect: 'manual', method, headers });
  }

  /** Leaves before the handler fails. @param body the first bytes of an upload, which has no end. */
  async abort(path: string, body?: string, type = 'application/octet-stream'): Promise<string> {
    const headers = { 'content-type': type, 'content-length': 1_000 };
    const options = body === undefined ? {} : { method: 'POST', headers };
    const sent = send(`${await this.url()}/${path}`, options).on('error', () => {});
    if (body === undefined) sent.end();
    else sent.write(body);
    const response = await request.arrived.promise;
    sent.destroy();
    await once(response, 'close');
    await turn();
    return 'none';
  }

  /** Calls a handler in a context of a library, as @nestjs/graphql calls a resolver. */
  call(context: string): Promise<string> {
    return passedOn(callResolver(this.#application, async () => request.fail(), context));
  }

  /** Calls a handler and a filter as `RpcProxy` and `RpcExceptionsHandler` of @nestjs/microservices do. */
  async rpc(type: Type<ExceptionFilter> = AllExceptionsFilter): Promise<string> {
    const host = new ExecutionContextHost([{}, {}]);
    host.setType('rpc');
    const filters = this.#application.get(ApplicationConfig).getGlobalFilters();
    const filter = filters.find((each) => each instanceof type);
    try {
      await request.fail();
      return 'nothing was thrown';
    } catch (thrown) {
      const handle = filter?.catch.bind(filter);
      const answer = await thrownBy(() => handle?.(thrown, host)).catch(() => 'no answer');
      return answer === undefined ? NESTS_ANSWER : 'another answer, or none';
    }
  }

  /** Calls a gateway with the global interceptors, and no global filter, as @nestjs/websockets does. */
  async webSocket(): Promise<string> {
    const interceptors = this.#application.get(ApplicationConfig).getGlobalInterceptors();
    const gateway = { order: () => request.fail() };
    const call = async (): Promise<unknown> => {
      const next = async (): Promise<unknown> => gateway.order();
      const consumer = new InterceptorsConsumer();
      const result = await consumer.intercept(interceptors, [{}, {}], gateway, gateway.order, next, 'ws');
      return lastValueFrom(result as Observable<unknown>);
    };
    return (await passedOn(call())) === 'passed on' ? NESTS_ANSWER : 'another answer';
  }

  /** Emits what Node emits for an error that no request waits for. */
  async outside(event: 'uncaughtException' | 'unhandledRejection'): Promise<string> {
    const target = new EventEmitter();
    const ends: unknown[] = [];
    recordProcessFailures(
      this.#recorder,
      async (failure) => void ends.push(failure),
      target as NodeJS.Process,
    );
    await thrownBy(request.fail).catch((thrown: unknown) => target.emit(event, thrown));
    return ends.length === 1 ? 'ends' : 'goes on';
  }

  async #closed(): Promise<void> {
    const response = await request.arrived.promise;
    if (!response.closed) await once(response, 'close');
  }
}

/** Calls a function that throws at once or later. */
async function thrownBy(fail: () => unknown): Promise<unknown> {
  return fail();
}

/** Returns whether a call is rejected with exactly the thrown value. */
async function passedOn(call: Promise<unknown>): Promise<string> {
  const [thrown, passed] = await Promise.allSettled([thrownBy(request.fail), call]);
  const isSame =
    thrown.status === 'rejected' && passed.status === 'rejected' && Object.is(thrown.reason, passed.reason);
  return isSame ? 'passed on' : 'another end';
}

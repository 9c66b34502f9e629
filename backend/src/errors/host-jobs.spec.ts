import { setImmediate as turn } from 'node:timers/promises';
import { Controller, Injectable, Logger, Module, Post } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { Cron, Interval, ScheduleModule, SchedulerRegistry, Timeout } from '@nestjs/schedule';
import { report } from './error-reporter.ts';
import { HostApplication } from './host-application.fixture.ts';
import { request } from './host-module.fixture.ts';

/** The test calls these jobs. */
const NIGHTLY = '0 3 * * *';
const fail = (): unknown => request.fail();

@Controller()
class Jobs {
  readonly #emitter: EventEmitter2;

  constructor(emitter: EventEmitter2) {
    this.#emitter = emitter;
  }

  @Post('refunds')
  refund(): Promise<unknown> {
    return this.#emitter.emitAsync('refunded');
  }

  @Cron(NIGHTLY, { name: 'export', disabled: true })
  export(): unknown {
    return fail();
  }

  @Cron(NIGHTLY, { name: 'import', disabled: true, waitForCompletion: true })
  async import(): Promise<unknown> {
    return fail();
  }

  /** An empty one, for callbacks of the application. */
  @Cron(NIGHTLY, { name: 'added', disabled: true })
  added(): void {}

  @OnEvent('paid')
  paid(): unknown {
    return fail();
  }

  @OnEvent('sent', { suppressErrors: true })
  async sent(): Promise<unknown> {
    return fail();
  }

  @OnEvent('refunded', { suppressErrors: false })
  refunded(): unknown {
    return fail();
  }
}

@Module({ imports: [ScheduleModule.forRoot(), EventEmitterModule.forRoot()], controllers: [Jobs] })
class JobsModule {}

/** Jobs that run once, at the start. */
@Injectable()
class TimerJobs {
  static readonly ran = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  readonly #registry: SchedulerRegistry;

  constructor(registry: SchedulerRegistry) {
    this.#registry = registry;
  }

  @Interval('poll', 1)
  poll(): never {
    this.#registry.deleteInterval('poll');
    TimerJobs.ran[0].resolve();
    throw new Error('no answer');
  }

  @Timeout(1)
  async warmUp(): Promise<never> {
    TimerJobs.ran[1].resolve();
    throw new Error('no cache');
  }
}

@Module({ imports: [ScheduleModule.forRoot()], providers: [TimerJobs] })
class TimersModule {}

const tick = async (host: HostApplication, name: string): Promise<void> => {
  await host.get(SchedulerRegistry).getCronJob(name).fireOnTick();
  await turn();
};
const emit = async (host: HostApplication, name: string): Promise<unknown> =>
  host.get(EventEmitter2).emitAsync(name);

const throwing = (thrown: unknown) => (): never => {
  throw thrown;
};

/** Gives an error the stack that Node writes; Jest writes the stacks of this file itself, and otherwise. */
const fromNode = (error: Error, start: string): Error =>
  Object.assign(error, { stack: `${start}\n    at send (/shop/mail.ts:7:3)` });

const INVALID_URL = Object.assign(new TypeError('no URL'), { code: 'ERR_INVALID_URL' });

const logged: unknown[] = [];
const COLLECTING = {
  log: () => {},
  warn: () => {},
  error: (...values: unknown[]) => logged.push(values.at(-1)),
};

describe('a job or a listener of another application', () => {
  let host: HostApplication;

  beforeAll(async () => {
    host = await HostApplication.start(JobsModule);
  });

  afterAll(() => host.close());

  const CALLS = [
    ['@Cron', tick, 'export', 'Scheduler'],
    ['an asynchronous @Cron', tick, 'import', 'Scheduler'],
    ['@OnEvent', emit, 'paid', 'Event'],
    ['an asynchronous @OnEvent', emit, 'sent', 'Event'],
  ] as const;
  const THINGS = [
    new TypeError('the mail has no sender'),
    fromNode(new RangeError(), 'RangeError'),
    fromNode(INVALID_URL, 'TypeError [ERR_INVALID_URL]: no URL'),
  ] as const;
  const CELLS = CALLS.flatMap(([call, run, name, library]) =>
    THINGS.map((thrown) => ({ call, run, name, library, thrown })),
  );

  describe.each([
    ['a logger of the application', COLLECTING],
    ['no logger', false],
  ] as const)('with %s', (_, logger) => {
    it.each(CELLS)('is recorded once: $call, $thrown', async ({ run, name, library, thrown }) => {
      Logger.overrideLogger(logger);
      logged.length = 0;
      host.prepare(throwing(thrown));

      await run(host, name);

      const [lines, reports] = [[...host.lines], [...host.reports]];
      const digest = report(thrown)?.digest;
      expect(lines).toEqual([expect.objectContaining({ msg: 'error_reported', digest })]);
      expect(reports).toEqual([expect.objectContaining({ digest, tags: { logger: library } })]);
      expect(logged).toEqual(logger === false ? [] : [library]);
    });
  });

  it.each(CALLS)('is recorded once if it throws no Error: %s', async (_, run, name, library) => {
    host.prepare(throwing('no sender'));

    await run(host, name);

    expect(host.reports).toEqual([expect.objectContaining({ tags: { logger: library } })]);
  });

  it('is recorded once if it runs by a timer: @Interval, @Timeout', async () => {
    const timers = await HostApplication.start(TimersModule);
    await Promise.all(TimerJobs.ran.map(({ promise }) => promise));
    await turn();

    expect(timers.lines.map(({ err }) => (err as Error).message).toSorted()).toEqual([
      'no answer',
      'no cache',
    ]);
    expect(timers.reports.map(({ tags }) => tags?.['logger'])).toEqual(['Scheduler', 'Scheduler']);
    await timers.close();
  });

  it.each([
    ['reports', (thrown: unknown) => void report(thrown)],
    ['throws', (thrown: unknown) => throwing(thrown)()],
  ])('is recorded once if the application adds it itself, with a handler that %s', async (_, handle) => {
    const job = host.get(SchedulerRegistry).getCronJob('added');
    job.addCallback(() => void fail());
    job.errorHandler = handle;
    host.prepare(throwing(new Error('the backup failed')));

    await tick(host, 'added');

    expect(host.reports).toHaveLength(1);
  });

  it('fails the request that awaits it, once, without suppressErrors', async () => {
    host.prepare(throwing(new Error('no account')));

    expect(await host.http('refunds', 'POST')).toBe('500 application/problem+json with digest');
    expect(host.reports).toHaveLength(1);
  });

  it('fails the process, once, without suppressErrors and without a caller that waits', async () => {
    const thrown = new Error('no account');
    host.prepare(throwing(thrown));
    const refund = host.get(Jobs).refund();
    host.prepare(() => refund);

    expect(await host.outside('unhandledRejection')).toBe('ends');
    expect(host.reports).toHaveLength(1);
  });
});

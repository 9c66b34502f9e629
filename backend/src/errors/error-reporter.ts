import { Logger } from '@nestjs/common';
import { readError } from '../digest/read-error.ts';
import { textOf } from '../digest/thrown-value.ts';

/** Data for a report that the application knows, beside the error. */
export interface ReportData {
  /** For the search in the console, as `name:value`. */
  readonly tags?: Readonly<Record<string, string | number | boolean>>;
  /** The user who met the error; an erasure by this user deletes the event. */
  readonly user?: {
    readonly id?: string | number;
    readonly email?: string;
    readonly username?: string;
  };
}

/** Names of a recorded error, which the console finds. */
export interface ReportedError {
  readonly digest: string;
  readonly reference: string;
  /**
   * Resolves once the report is on disk or known to be lost, after 250 ms at the latest: what a person is shown can then be
   * found, also if the process is killed at once. A script waits for it before it exits.
   */
  readonly kept: Promise<void>;
}

/** Records errors that the application has caught itself. Each provider of the application can inject it. */
export abstract class ErrorReporter {
  /**
   * Records an error and writes it to the log. Never throws. After the end of the application the error goes to Nest's log.
   *
   * @returns null after the end of the application.
   */
  abstract report(error: unknown, data?: ReportData): ReportedError | null;
}

/** Those of the applications that are open in this process, in the order of their opening. */
const opened: ErrorReporter[] = [];
let isListening = false;

/**
 * Records an error that the application has caught itself, for code without injection: it goes to the application that this
 * process has opened last. Before the start and after the end of an application it goes to Nest's log. Never throws.
 *
 * @returns null if no application is open.
 */
export function report(error: unknown, data: ReportData = {}): ReportedError | null {
  return reportTo(opened.at(-1), error, data);
}

/** Returns a reporter for the providers of an application, which hold it longer than the application is open. */
export function whileOpen(reporter: ErrorReporter): ErrorReporter {
  return {
    report: (error, data = {}) =>
      reportTo(
        opened.find((each) => each === reporter),
        error,
        data,
      ),
  };
}

function reportTo(
  reporter: ErrorReporter | undefined,
  error: unknown,
  data: ReportData,
): ReportedError | null {
  if (reporter !== undefined) return reporter.report(error, data);
  const logger = new Logger('Errata');
  try {
    logger.error(error);
  } catch {
    // Nest cannot print a value whose reading throws.
    logger.error(readError(error, '').message || textOf(error));
  }
  return null;
}

/** Makes a reporter the one of {@link report}. @returns a function that ends this. */
export function openReporter(reporter: ErrorReporter): () => void {
  if (!isListening) listenToLibraries();
  opened.push(reporter);
  return () => void opened.splice(opened.indexOf(reporter), 1);
}

/**
 * Loggers of the libraries that catch the errors of the application's methods, and have no other hook for them:
 * `@Cron`, `@Interval` and `@Timeout` of @nestjs/schedule log the error, `@OnEvent` of @nestjs/event-emitter its message and
 * its stack.
 */
const LIBRARIES: ReadonlySet<unknown> = new Set(['Scheduler', 'SchedulerRegistry', 'Event']);

/**
 * Records what these libraries log. The method of the prototype is replaced, because a logger of the application
 * (`useLogger`), and none (`logger: false`), replace everything behind it. It stays replaced: another library may have done
 * the same after it.
 */
function listenToLibraries(): void {
  isListening = true;
  // oxlint-disable-next-line typescript/unbound-method -- It is called with the logger as `this`.
  const log: (this: Logger, ...logged: Parameters<Logger['error']>) => void = Logger.prototype.error;
  Logger.prototype.error = function (this: Logger, ...logged: Parameters<Logger['error']>): void {
    const library: unknown = Reflect.get(this, 'context');
    if (LIBRARIES.has(library))
      opened.at(-1)?.report(thrownOf(logged), { tags: { logger: String(library) } });
    log.apply(this, logged);
  };
}

/** Start of a stack: the name of the error, the code of one of Node's own, and the message, if there is one. */
const STACK_START = /^(\w+)(?: \[(\w+)\])?(?=: |\n|$)/;

/** Returns what was thrown, from the arguments of `Logger.error`. */
function thrownOf([logged, stack]: readonly unknown[]): unknown {
  if (typeof logged !== 'string' || typeof stack !== 'string') return logged;
  const [, name = 'Error', code] = STACK_START.exec(stack) ?? [];
  return Object.assign(new Error(logged), { name, stack, ...(code !== undefined && { code }) });
}

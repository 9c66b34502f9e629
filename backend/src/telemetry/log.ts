import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { stringAt } from '../digest/thrown-value.ts';

/** The structured log: one JSON record per line, on standard output. */
export type Log = Logger;

/**
 * Creates the process's logger. JSON escapes control characters, so that no value can forge a second record (log
 * injection). Authorization headers and cookies must never be logged.
 *
 * @param destination by default standard output, which is written before a call returns. Errata's own process has a
 * destination that does not wait for the reader.
 */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ sync: true }),
): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError },
    redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
  };
  return pino(options, destination);
}

/** Serializes an error with its causes. A property whose getter throws must not cost the record, nor the message. */
function serializeError(error: Error): object {
  try {
    return stdSerializers.errWithCause(error);
  } catch {
    const message = stringAt(error, 'message') ?? 'the properties of the error cannot be read';
    return { type: stringAt(error, 'name') ?? 'Error', message, stack: stringAt(error, 'stack') };
  }
}

/** Returns the log for Nest, without its info records, about 40 for each start; with LOG_LEVEL=debug they appear. */
export function frameworkLog(log: Log): Log {
  return log.level === 'info' ? log.child({}, { level: 'warn' }) : log;
}

import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';

/** The structured log: one JSON line a record, on standard output. */
export type Log = Logger;

/**
 * Makes the process's logger. Control characters in values are escaped by JSON, so that no value can forge a
 * second record; authorization and cookies never reach a line.
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
    serializers: { err: stdSerializers.errWithCause },
    redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
  };
  return pino(options, destination);
}

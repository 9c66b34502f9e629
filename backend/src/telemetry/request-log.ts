import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Options } from 'pino-http';
import type { Log } from './log.ts';

/** An id another system gave; anything else could forge log records or headers. */
const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Request logging: each request gets an id (the caller's, where it is well-formed); its line is written at debug
 * level, because an access log is the gateway's business. Failures have a line of their own.
 */
export function requestLog(log: Log): Options {
  return {
    logger: log,
    genReqId: (request: IncomingMessage) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    customLogLevel: () => 'debug',
    quietReqLogger: true,
  };
}

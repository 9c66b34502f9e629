import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Options } from 'pino-http';
import type { Log } from './log.ts';

/** A request id that another system sent. Any other text could forge log records or headers. */
const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Returns the options of the request log. Each request gets an id: the caller's, if it is valid. Requests are logged at
 * debug level only, because the gateway writes the access log; failures have a record of their own.
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

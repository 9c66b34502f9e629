import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Options } from 'pino-http';
import type { Log } from './log.ts';

/** A request id that another system sent. Any other text could forge log records or headers. */
const REQUEST_ID = /^[A-Za-z0-9._:+/=-]{8,128}$/;

/** Returns the `X-Request-ID` that another system sent; null if it is no id. */
export function validRequestId(header: IncomingMessage['headers'][string]): string | null {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : null;
}

/**
 * Returns the options of the request log. Each request gets an id: the caller's, if it is valid. Requests are logged at
 * debug level only, because the gateway writes the access log; failures have a record of their own.
 */
export function requestLog(log: Log): Options {
  return {
    logger: log,
    genReqId: (request: IncomingMessage) => validRequestId(request.headers['x-request-id']) ?? randomUUID(),
    customLogLevel: () => 'debug',
    quietReqLogger: true,
  };
}

import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { readProperty } from '../digest/read-error.ts';
import type { RejectedRequest } from './error-response.ts';

/** Members of problem details that an exception cannot replace, and those of Nest's own body that they stand for. */
const OWN_MEMBERS = new Set([
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'digest',
  'reference',
  'stack',
  'message',
  'error',
  'statusCode',
]);

/** Returns the rejection that an exception with a 4xx status means. Only an HttpException says something to the client. */
export function rejectionOf(thrown: unknown, status: number): RejectedRequest {
  const title = STATUS_CODES[status] ?? 'Request Rejected';
  if (!(thrown instanceof HttpException)) return { status, title, detail: null };
  const body: unknown = thrown.getResponse();
  const isObject = typeof body === 'object' && body !== null;
  const message: unknown = isObject && 'message' in body ? body.message : isObject ? undefined : body;
  const detail = detailOf(message);
  return {
    status,
    title,
    detail: detail === '' || detail === title ? null : detail,
    members: { ...(hasItems(message) && sendable({ errors: message })), ...membersOf(thrown) },
  };
}

/**
 * Returns the text of a message, or of a list of messages as Nest's ValidationPipe makes it. Without one there is no detail:
 * the message of the exception is then the name of its class.
 */
function detailOf(message: unknown): string | null {
  if (typeof message === 'string') return message;
  return hasItems(message) && message.every((each) => typeof each === 'string') ? message.join('; ') : null;
}

function hasItems(message: unknown): message is readonly unknown[] {
  return Array.isArray(message) && message.length > 0;
}

/**
 * Returns the further members of the body that an application has given to an HttpException: none of any other exception,
 * and none where it has given an error, whose properties can hold a query or the headers of a request.
 */
export function membersOf(thrown: unknown): Readonly<Record<string, unknown>> {
  const body: unknown = thrown instanceof HttpException ? thrown.getResponse() : undefined;
  return typeof body === 'object' && body !== null && !(body instanceof Error) ? sendable(body) : {};
}

/** Returns a body without the members of problem details and without errors; {} if JSON cannot hold it. */
function sendable(body: object): Readonly<Record<string, unknown>> {
  const entries = Object.entries(body).filter(([name]) => !OWN_MEMBERS.has(name));
  try {
    return JSON.parse(JSON.stringify(Object.fromEntries(entries), withoutErrors)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Replacer of JSON that sees an error before its own `toJSON`. */
function withoutErrors(this: unknown, name: string, value: unknown): unknown {
  return readProperty(this, name) instanceof Error ? undefined : value;
}

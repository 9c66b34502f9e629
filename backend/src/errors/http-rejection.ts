import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { callAt, isError, isInstance, readProperty } from '../digest/thrown-value.ts';
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

/** What a Nest HttpException answers: nothing of it is checked, because each class can have its own methods. */
export interface HttpAnswer {
  readonly status: unknown;
  readonly body: unknown;
}

/** Returns the answer of an HttpException, and null of any other thrown value. */
export function httpAnswerOf(thrown: unknown): HttpAnswer | null {
  if (!isInstance(thrown, HttpException)) return null;
  return { status: callAt(thrown, 'getStatus'), body: callAt(thrown, 'getResponse') };
}

/** Returns the rejection that an exception with a 4xx status means. Only an HttpException says something to the client. */
export function rejectionOf(thrown: unknown, status: number): RejectedRequest {
  const title = STATUS_CODES[status] ?? 'Request Rejected';
  const answer = httpAnswerOf(thrown);
  if (answer === null) return { status, title, detail: null };
  const { body } = answer;
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
  const body = httpAnswerOf(thrown)?.body;
  return typeof body === 'object' && body !== null && !isError(body) ? sendable(body) : {};
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
  return isError(readProperty(this, name)) ? undefined : value;
}

import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import {
  callAt,
  entriesOf,
  isError,
  isInstance,
  isList,
  isObject,
  readProperty,
} from '../digest/thrown-value.ts';
import type { RejectedRequest } from './error-response.ts';

/** Members that RFC 9457 defines as texts (section 3.1): another value of an application is no such member. */
const TEXTS: ReadonlySet<string> = new Set(['type', 'title', 'detail', 'instance']);
/** Members that no answer has. The status is always the real one. */
const NEVER: ReadonlySet<string> = new Set(['status', 'stack']);
/**
 * Members that a failure does not have: those of Nest's own body, which are often the message of an error, and the names of
 * the failure, which are Errata's.
 */
const NOT_OF_FAILURES: ReadonlySet<string> = new Set([
  'message',
  'error',
  'statusCode',
  'digest',
  'reference',
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

/**
 * Returns the rejection that an exception with a 4xx status means. Only an HttpException says something to the client. The
 * problem details have what Nest itself would answer, beside their own members: a client that reads `message` goes on.
 */
export function rejectionOf(thrown: unknown, status: number): RejectedRequest {
  const reason = STATUS_CODES[status] ?? 'Request Rejected';
  const body = sendable(httpAnswerOf(thrown)?.body) ?? reason;
  const members = isRecord(body) ? body : { statusCode: status, message: body };
  const { title, detail } = members;
  const said = typeof detail === 'string' ? detail : detailOf(members['message']);
  return {
    status,
    title: typeof title === 'string' ? title : reason,
    detail: said === '' || said === reason ? null : said,
    members: { ...(hasItems(members['message']) && { errors: members['message'] }), ...kept(members) },
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
 * Returns the members that an application has given to a failure, by an HttpException with an object: none of any other
 * exception, and none where it has given an error or a list.
 */
export function membersOf(thrown: unknown): Readonly<Record<string, unknown>> {
  const body = sendable(httpAnswerOf(thrown)?.body);
  const members = isRecord(body) ? Object.entries(kept(body)) : [];
  return Object.fromEntries(members.filter(([name]) => !NOT_OF_FAILURES.has(name)));
}

function isRecord(body: unknown): body is Readonly<Record<string, unknown>> {
  return isObject(body) && !isList(body);
}

function kept(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(members);
  return Object.fromEntries(
    entries.filter(([name, value]) => !NEVER.has(name) && (!TEXTS.has(name) || typeof value === 'string')),
  );
}

/**
 * Returns a body as JSON has it, without the members that JSON cannot hold and without errors, whose properties can hold a
 * query or the headers of a request. Bytes are no answer to a program that expects JSON.
 */
function sendable(body: unknown): unknown {
  const json = callAt(body, 'toJSON') ?? body;
  if (isError(body) || isError(json) || ArrayBuffer.isView(body)) return undefined;
  if (!isObject(json)) return jsonOf(json) === undefined ? undefined : json;
  const entries = entriesOf(json).flatMap(([name, value]) => {
    const text = jsonOf(value);
    return text === undefined ? [] : [[name, JSON.parse(text) as unknown] as const];
  });
  return isList(json) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, withoutErrors);
  } catch {
    return undefined;
  }
}

/** Replacer of JSON that sees an error before its own `toJSON`. */
function withoutErrors(this: unknown, name: string, value: unknown): unknown {
  return isError(readProperty(this, name)) ? undefined : value;
}

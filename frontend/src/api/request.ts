import { DIGEST_HEADER, type Problem, REFERENCE_HEADER } from '@errata/backend/contract/problem.ts';
import { ApiError } from './api-error.ts';
import { atServer } from './base-path.ts';

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads problem+json. Another body, such as a proxy's own page, gives a problem made from the status. */
function parseProblem(body: unknown, status: number, statusText: string): Problem {
  const fields: Readonly<Record<string, unknown>> =
    typeof body === 'object' && body !== null ? { ...body } : {};
  const detail = nonEmptyText(fields['detail']);
  const instance = nonEmptyText(fields['instance']);
  const digest = nonEmptyText(fields['digest']);
  const reference = nonEmptyText(fields['reference']);
  return {
    type: nonEmptyText(fields['type']) ?? 'about:blank',
    title: nonEmptyText(fields['title']) ?? (statusText || `Status ${status}`),
    status,
    ...(detail !== undefined && { detail }),
    ...(instance !== undefined && { instance }),
    ...(digest !== undefined && { digest }),
    ...(reference !== undefined && { reference }),
  };
}

/** Returns a path with one more parameter; null adds none. */
export function withParameter(path: string, name: string, value: string | null): string {
  if (value === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
}

/** Returns the path of one page of a list; null is the first page. */
export function pagePath(path: string, cursor: string | null): string {
  return withParameter(path, 'cursor', cursor);
}

interface JsonRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  /** Body that is no JSON, sent as it is. */
  readonly text?: string;
  readonly signal?: AbortSignal;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

async function problemOf(response: Response): Promise<Problem> {
  const problem = parseProblem(await readJson(response), response.status, response.statusText);
  const digest = problem.digest ?? response.headers.get(DIGEST_HEADER);
  const reference = problem.reference ?? response.headers.get(REFERENCE_HEADER);
  return {
    ...problem,
    ...(digest !== null && { digest }),
    ...(reference !== null && { reference }),
  };
}

/**
 * Sends a request; the only place that does. The type of the answer comes from the contract, which both sides compile.
 * An answer that is not JSON (a proxy's page, a captive portal) is an error.
 */
export async function requestJson<Answer>(path: string, request: JsonRequest = {}): Promise<Answer> {
  const { method = 'GET', body, text, signal } = request;
  const response = await fetch(atServer(path), {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(text !== undefined && { body: text }),
    ...(signal !== undefined && { signal }),
  });
  if (!response.ok) throw new ApiError(method, path, await problemOf(response));
  // No content: the caller expects none.
  if (response.status === 204) return undefined as Answer;
  const answer = await readJson(response);
  if (answer === null) {
    const title = 'Unreadable response';
    throw new ApiError(method, path, { type: 'about:blank', title, status: response.status });
  }
  return answer as Answer;
}

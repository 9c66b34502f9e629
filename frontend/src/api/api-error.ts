import type { Problem } from '@errata/backend/contract/problem.ts';

/** A request the server answered with a failure. `digest` names the server's fault, when it was one. */
export class ApiError extends Error {
  readonly problem: Problem;
  readonly digest: string | undefined;
  readonly reference: string | undefined;

  constructor(method: string, path: string, problem: Problem) {
    // Without the query: it holds what somebody typed, and this message is reported.
    super(`${method} ${path.replace(/\?.*$/, '')} answered status ${problem.status}`);
    // Minified builds rename classes; the digest counts the name.
    this.name = 'ApiError';
    this.problem = problem;
    this.digest = problem.digest;
    this.reference = problem.reference;
  }

  get status(): number {
    return this.problem.status;
  }
}

/** Whether the server answered with this status; narrows what a query failed with. */
export function hasStatus(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status;
}

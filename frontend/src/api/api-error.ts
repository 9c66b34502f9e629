import type { Problem } from '@errata/backend/contract/problem.ts';

/** A request that the server answered with an error. `digest` and `reference` are set when the server failed. */
export class ApiError extends Error {
  readonly problem: Problem;
  readonly digest: string | undefined;
  readonly reference: string | undefined;

  constructor(method: string, path: string, problem: Problem) {
    // Without the query: it holds text that a user typed, and this message is reported.
    super(`${method} ${path.replace(/\?.*$/, '')} answered status ${problem.status}`);
    // Minified builds rename classes, and the digest contains the name.
    this.name = 'ApiError';
    this.problem = problem;
    this.digest = problem.digest;
    this.reference = problem.reference;
  }

  get status(): number {
    return this.problem.status;
  }
}

/** Returns whether the server answered with this status; narrows the error of a query. */
export function hasStatus(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status;
}

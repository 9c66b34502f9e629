import { ApiError } from '../../api/api-error.ts';

/** Describes a failed action in one sentence. */
export function errorText(error: Error): string {
  if (!(error instanceof ApiError)) return 'Server unreachable. Nothing was changed. Try again.';
  const { detail, title, digest } = error.problem;
  const text = `${detail ?? title} (status ${error.status})`;
  return digest === undefined ? text : `${text} Digest: ${digest}`;
}

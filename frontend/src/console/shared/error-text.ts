import { ApiError } from '../../api/api-error.ts';

/** One sentence for something that was asked for and did not happen. */
export function errorText(error: Error): string {
  if (!(error instanceof ApiError)) return 'Server unreachable. Nothing was changed. Try again.';
  const { detail, title, digest } = error.problem;
  const text = `${detail ?? title} (status ${error.status})`;
  return digest === undefined ? text : `${text} Digest: ${digest}`;
}

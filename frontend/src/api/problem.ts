import type { Problem } from '@errata/backend/contract/problem.ts';

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads an answer that says it is problem+json; a proxy's own page in between gives what its status tells. */
export function parseProblem(body: unknown, status: number, statusText: string): Problem {
  const fields: Readonly<Record<string, unknown>> =
    typeof body === 'object' && body !== null ? { ...body } : {};
  const detail = textOf(fields['detail']);
  const instance = textOf(fields['instance']);
  const digest = textOf(fields['digest']);
  const reference = textOf(fields['reference']);
  return {
    type: textOf(fields['type']) ?? 'about:blank',
    title: textOf(fields['title']) ?? (statusText || `Status ${status}`),
    status,
    ...(detail !== undefined && { detail }),
    ...(instance !== undefined && { instance }),
    ...(digest !== undefined && { digest }),
    ...(reference !== undefined && { reference }),
  };
}

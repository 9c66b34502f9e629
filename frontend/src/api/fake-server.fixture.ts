import { DIGEST_HEADER, type Problem, REFERENCE_HEADER } from '@errata/backend/contract/problem.ts';

/** `GET /path?query` -> its answer, called for each request. */
export type Answers = Readonly<Record<string, () => Response | Promise<Response>>>;

export interface FakeServer {
  /** Every request in order, as `METHOD path body`. */
  readonly requests: readonly string[];
}

export function json(body: unknown): Response {
  return Response.json(body);
}

export function problem(status: number, title: string, rest: Partial<Problem> = {}): Response {
  return Response.json(
    { type: 'about:blank', title, status, ...rest },
    {
      status,
      headers: {
        'Content-Type': 'application/problem+json',
        ...(rest.digest !== undefined && { [DIGEST_HEADER]: rest.digest }),
        ...(rest.reference !== undefined && { [REFERENCE_HEADER]: rest.reference }),
      },
    },
  );
}

/** Replaces the browser's fetch and answers from a table; other requests get a 404, as on the real server. */
export function serve(answers: Answers): FakeServer {
  const requests: string[] = [];
  globalThis.fetch = async (input, init) => {
    const path = input instanceof Request ? input.url : String(input);
    const method = init?.method ?? 'GET';
    requests.push(typeof init?.body === 'string' ? `${method} ${path} ${init.body}` : `${method} ${path}`);
    return (await answers[`${method} ${path}`]?.()) ?? problem(404, 'Not Found');
  };
  return { requests };
}

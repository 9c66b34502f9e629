import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Request, Response } from 'express';
import { DIGEST_HEADER, type Problem, REFERENCE_HEADER } from '../contract/problem.ts';
import { NOT_FOUND_TEXT, SERVER_ERROR_TEXT } from '../contract/texts.ts';
import type { ErrorPage, ErrorPages } from './error-pages.ts';
import { negotiate } from './negotiate.ts';
import { requestPath } from './request-path.ts';
import { retryAdvice } from './retry-advice.ts';

const NOT_FOUND = 404;
const RANGE_NOT_SATISFIABLE = 416;
/**
 * Headers without the prefix `Content-` that describe the body of the failed response (RFC 9110, section 8; RFC 9530), that
 * let a cache keep it although `Cache-Control` forbids it (RFC 9213), or that lead a browser away from the page.
 */
const REPRESENTATION = new Set([
  'accept-ranges',
  'age',
  'cdn-cache-control',
  'digest',
  'etag',
  'expires',
  'last-modified',
  'refresh',
  'repr-digest',
  'surrogate-control',
  'trailer',
  'transfer-encoding',
]);
const CONTENT_HEADER = /^content-(?!security-policy)/;
const POLICY = 'Content-Security-Policy';
const FRAME_ANCESTORS = /^frame-ancestors\b/i;

/** A failure of the server: the digest names the issue, the reference the event. */
export interface ServerFailure {
  readonly status: number;
  readonly digest: string;
  /** Null where no event is stored. */
  readonly reference: string | null;
  /** Line of an operator for its page, if there is one. */
  readonly line?: string | null;
  /** Members of the problem details that the application has given, in place of ours and beside them. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** A rejected request (4xx), or one that must be repeated (503). It has no digest, because no error occurred. */
export interface RejectedRequest {
  readonly status: number;
  readonly title: string;
  readonly detail: string | null;
  /** Members of the problem details that the application has given, in place of ours and beside them. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** Responds to failed and rejected requests in the form that the client accepts. It must never show parts of the error. */
export class ErrorResponse {
  readonly #pages: ErrorPages;
  readonly #random: () => number;

  constructor(pages: ErrorPages, random: () => number = Math.random) {
    this.#pages = pages;
    this.#random = random;
  }

  /** Returns the line for the page of a fault, null where the client gets none. It looks for it while the report is written. */
  async lineOf(request: Request, key: string): Promise<string | null> {
    if (!this.#pages.hasLines) return null;
    const isPage = negotiate(request.headers, requestPath(request), false) === 'html';
    return isPage ? this.#pages.lineOf(key) : null;
  }

  /**
   * Responds to a failure, without message, stack, path or class name of the error. Only an application that throws an
   * HttpException with an object says something to programs, by the members of that object.
   */
  sendFailure(request: Request, response: Response, failure: ServerFailure): void {
    const { status, digest, reference, line = null, members } = failure;
    response.set({ [DIGEST_HEADER]: digest, ...(reference !== null && { [REFERENCE_HEADER]: reference }) });
    const title = STATUS_CODES[status] ?? 'Server Error';
    this.#send(request, response, status, {
      html: () => this.#pages.serverError({ digest, reference, line, isRepeatable: isSafe(request) }),
      text: () => `${SERVER_ERROR_TEXT}\nDigest: ${digest}\n`,
      problem: {
        type: 'about:blank',
        title,
        detail: SERVER_ERROR_TEXT,
        ...instanceOf(request),
        ...retryAdvice(request, response, status, this.#random),
        ...members,
        status,
        digest,
        ...(reference !== null && { reference }),
      },
    });
  }

  sendRejection(request: Request, response: Response, rejection: RejectedRequest): void {
    const { status, title, detail, members } = rejection;
    this.#send(request, response, status, {
      html: () =>
        status === NOT_FOUND
          ? this.#pages.notFound(requestPath(request).slice(request.baseUrl.length))
          : this.#pages.refusal(status, title),
      text: () => `${status === NOT_FOUND ? NOT_FOUND_TEXT : (detail ?? title)}\n`,
      problem: {
        type: 'about:blank',
        title,
        ...(detail === null ? {} : { detail }),
        ...instanceOf(request),
        ...retryAdvice(request, response, status, this.#random),
        ...members,
        status,
      },
    });
  }

  #send(
    request: Request,
    response: Response,
    status: number,
    forms: {
      readonly html: () => ErrorPage;
      readonly text: () => string;
      readonly problem: Problem;
    },
  ): void {
    dropRepresentation(response, status);
    response.status(status).set({
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
      'X-Content-Type-Options': 'nosniff',
    });
    // Beside those of the application, such as the Origin of CORS.
    response.vary('Accept, Sec-Fetch-Dest');
    // Express has set the route if one of the application matched, also one that found nothing.
    const isMissing = status === NOT_FOUND && request.route === undefined;
    switch (negotiate(request.headers, requestPath(request), isMissing)) {
      case 'html': {
        const page = forms.html();
        // A policy of the failed response that only reports knows nothing of this page.
        response.removeHeader('Content-Security-Policy-Report-Only');
        response.set(framedAs(response, page));
        sendBody(response, 'html', page.html);
        return;
      }
      case 'problem':
        sendBody(response, 'application/problem+json; charset=utf-8', JSON.stringify(forms.problem));
        return;
      case 'text':
        sendBody(response, 'text/plain', forms.text());
    }
  }
}

/** Returns the path of the request; nothing where a gateway names none. */
function instanceOf(request: Request): Pick<Problem, 'instance'> {
  const path = requestPath(request);
  return path === '' ? {} : { instance: path };
}

/** Returns whether a request can be repeated without an effect (RFC 9110, section 9.2.1), also by the link of its page. */
function isSafe({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Ends the response by itself: Express' `send` would add an ETag, unless the application has switched it off. */
function sendBody(response: Response, type: string, text: string): void {
  const body = Buffer.from(text);
  response.type(type).set('Content-Length', String(body.length)).end(body);
}

/**
 * Returns the headers of a page of Errata's own with the `frame-ancestors` of each policy of the response that failed, so that
 * an application in a frame of another site shows the page there, too: a policy without them lets `X-Frame-Options` decide.
 * A policy that has its own, as a client's has, stays.
 */
function framedAs(response: ServerResponse, { headers }: ErrorPage): ErrorPage['headers'] {
  const policy = headers[POLICY];
  if (policy === undefined || directivesOf(policy).some(isFrameAncestors)) return headers;
  // A comma separates policies; the first directive of a name counts (CSP Level 3, sections 2.2.1 and 4.1).
  const ancestors = [response.getHeader(POLICY) ?? []]
    .flat()
    .flatMap((each) => String(each).split(','))
    .flatMap((each) => directivesOf(each).find(isFrameAncestors) ?? []);
  return ancestors.length === 0 ? headers : { ...headers, [POLICY]: `${policy}; ${ancestors.join(', ')}` };
}

function directivesOf(policy: string): readonly string[] {
  return policy.split(';').map((directive) => directive.trim());
}

function isFrameAncestors(directive: string): boolean {
  return FRAME_ANCESTORS.test(directive);
}

/**
 * Removes what a failed response said about the body that it will not send. A browser that reads an error page with the
 * `Content-Encoding` or `Content-Disposition` of a file shows a page of its own or starts a download instead of the page
 * with the digest. Only a 416 keeps `Content-Range`, which has the length of the file (RFC 9110, section 14.4).
 */
function dropRepresentation(response: ServerResponse, status: number): void {
  for (const name of response.getHeaderNames()) {
    if (name === 'content-range' && status === RANGE_NOT_SATISFIABLE) continue;
    if (CONTENT_HEADER.test(name) || REPRESENTATION.has(name)) response.removeHeader(name);
  }
}

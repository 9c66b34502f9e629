import type { EventDetail } from '../backend/src/contract/event-api.ts';
import type { FindAnswer } from '../backend/src/contract/find-api.ts';
import { DIGEST_HEADER, REFERENCE_HEADER } from '../backend/src/contract/problem.ts';
import { SERVER_ERROR_TEXT } from '../backend/src/contract/texts.ts';
import { fail, messageOf, option } from './command-line.ts';
import { connectionError, url } from './running.ts';
import { hasConsole, waitFor } from './seed/console-api.ts';

/**
 * Sends one request that fails behind a gateway, as a client that forges all headers of docs/gateway.md, and prints a line for
 * each line that the configuration of the gateway lacks: `GATEWAY=https://shop.example/broken`. It reads the event of the page
 * with ERRATA_CONSOLE_TOKEN from ERRATA_URL.
 */

/** Value of all headers that only the gateway may set. */
const FORGED = 'errata-doctor-forged';
const COOKIE = 'errata-doctor-cookie';
const QUERY = 'errata-doctor=query';
const WANTED_TYPE = 'application/problem+json';
const HEADERS = {
  Accept: WANTED_TYPE,
  Cookie: `session=${COOKIE}`,
  'X-Code': '404',
  'X-Format': 'text/plain',
  'X-Original-URI': `/${FORGED}`,
  'X-Service-Name': FORGED,
  'X-Namespace': FORGED,
  'X-Request-ID': FORGED,
  'X-Errata-Digest': FORGED,
};

const NOT_ASKED =
  'send its failures to ERRATA_GATEWAY_PORT (nginx: error_page, and proxy_intercept_errors for those of the server)';
const NO_REFERENCE =
  'the page has no reference: the server has a digest of its own, the limit of the service is reached, or the queue is full';

/** Returns what is wrong with the page, null where it names its event. */
function pageProblem(page: Response, text: string): string | null {
  // No other server varies by this header, and each page of Errata does.
  if (!/sec-fetch-dest/i.test(page.headers.get('vary') ?? ''))
    return page.status < 500
      ? `GATEWAY: expected a URL that fails, got status ${page.status}`
      : `the gateway answers ${page.status} by itself: ${NOT_ASKED}`;
  const digest = page.headers.get(DIGEST_HEADER);
  if (digest === FORGED)
    return "the digest is the client's: set X-Errata-Digest to that of the server's response, or remove it";
  if (digest === null)
    return text.startsWith(SERVER_ERROR_TEXT)
      ? 'Errata does not trust the gateway: add its address to ERRATA_TRUST_PROXY; gateway_untrusted in the log has it'
      : 'Errata knows no status: set X-Code to that of the failure, or ask for the path /503';
  return page.headers.has(REFERENCE_HEADER) ? null : NO_REFERENCE;
}

/** Lists what the gateway did not say about the request, or left to the client. */
function eventProblems(page: Response, event: EventDetail): readonly string[] {
  const { path, request, tags, provenance } = event;
  // The server has Errata itself, and its page says nothing about the gateway.
  if (provenance.origin !== 'gateway') return [`the page is that of the server: ${NOT_ASKED}`];
  const { service = '', request_id: requestId } = tags;
  const type = page.headers.get('content-type') ?? '';
  const isPath = path === failing.pathname && (request?.query ?? '').includes(QUERY);
  const hasCookie = JSON.stringify(event).includes(COOKIE);
  return [
    [
      !type.startsWith(WANTED_TYPE),
      `the form is ${type}, not ${WANTED_TYPE}: set X-Format to the client's Accept`,
    ],
    [!isPath, `the path is ${path}: set X-Original-URI to path and query of the request (Envoy has none)`],
    [
      service.includes(FORGED) || service === failing.hostname,
      `the service is ${service}: set X-Service-Name to its name, and X-Namespace to its namespace or nothing`,
    ],
    [
      requestId === FORGED,
      "the request id is the client's: set X-Request-ID to an id of the gateway (Traefik and ingress-nginx have none)",
    ],
    [hasCookie, 'the event has the cookie of the client: report it, as SECURITY.md says'],
  ].flatMap(([isWrong, problem]) => (isWrong === true ? [String(problem)] : []));
}

async function eventOf(reference: string): Promise<EventDetail | undefined> {
  const path = `/console/api/find?q=${encodeURIComponent(reference)}`;
  const found = await waitFor<FindAnswer>(path, ({ eventId }) => eventId !== null);
  return found && waitFor<EventDetail>(`/console/api/events/${found.eventId}`);
}

async function problems(): Promise<readonly string[]> {
  const page = await fetch(failing, { headers: HEADERS, redirect: 'manual' }).catch((error: unknown) =>
    fail(`FAIL  ${failing.origin} ${connectionError(error)}`),
  );
  const problem = pageProblem(page, await page.text());
  if (problem !== null) return [problem];
  const reference = page.headers.get(REFERENCE_HEADER) ?? '';
  const event = await eventOf(reference);
  if (event === undefined)
    return [`${url} has no event ${reference}: is it the Errata that the gateway asks?`];
  const { digest, tags } = event;
  process.stdout.write(
    `ok    ${page.status}, digest ${digest}, reference ${reference}, service ${tags['service']}\n`,
  );
  return eventProblems(page, event);
}

const text = option('GATEWAY') ?? fail('Set GATEWAY to a URL that fails behind the gateway.');
const failing = URL.parse(text) ?? fail(`GATEWAY: expected a URL, got "${text}"`);
failing.search += `${failing.search === '' ? '' : '&'}${QUERY}`;
const isOpen = await hasConsole().catch((error: unknown) =>
  fail(`ERRATA_URL: ${url} ${connectionError(error)}`),
);
if (!isOpen) fail(`ERRATA_CONSOLE_TOKEN: ${url} does not accept it`);
const found = await problems().catch((error: unknown) => fail(messageOf(error)));
for (const problem of found) process.stdout.write(`FAIL  ${problem}\n`);
process.exitCode = found.length > 0 ? 1 : 0;

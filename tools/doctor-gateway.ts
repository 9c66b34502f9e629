import { hash } from 'node:crypto';
import type { EventDetail } from '../backend/src/contract/event-api.ts';
import type { FindAnswer } from '../backend/src/contract/find-api.ts';
import { DIGEST_HEADER, REFERENCE_HEADER } from '../backend/src/contract/problem.ts';
import { SERVER_ERROR_TEXT } from '../backend/src/contract/texts.ts';
import { readGatewayRequest } from '../backend/src/gateway/gateway-request.ts';
import { fail, option } from './command-line.ts';
import { connectionError, TIMEOUT_MS, url } from './running.ts';
import { hasConsole, waitFor } from './seed/console-api.ts';

/**
 * Sends one request that fails behind a gateway, as a client that forges all headers of docs/gateway.md, and prints a line for
 * each line that the configuration of the gateway lacks: `GATEWAY=https://shop.example/broken`. It reads the event of the page
 * with ERRATA_CONSOLE_TOKEN from ERRATA_URL.
 */

/** Headers that only the gateway may set. The event has what reaches Errata. */
const NAMES = `X-Original-URI X-Original-Method X-Service-Name X-Namespace X-Request-ID X-Ingress-Name
  X-Errata-Upstream X-Errata-Cause X-Errata-Traceparent ${DIGEST_HEADER} CF-Ray X-Amzn-Trace-Id
  Cookie`.split(/\s+/);
/** A value for any of them: a trace has 32 hexadecimal digits. */
const forged = (name: string): string => (name === 'X-Original-URI' ? '/' : '') + hash('md5', name);
const WANTED_TYPE = 'application/problem+json';
const ALWAYS = { Accept: WANTED_TYPE, 'X-Code': '404', 'X-Format': 'text/plain', 'Retry-After': '3599' };
const HEADERS = { ...ALWAYS, ...Object.fromEntries(NAMES.map((name) => [name, forged(name)])) };

const NOT_ASKED =
  'send its failures to ERRATA_GATEWAY_PORT (nginx: error_page, and proxy_intercept_errors for those of the server)';
const OWN_TEXT =
  'shows the sentence by itself: Errata does not answer it at ERRATA_GATEWAY_PORT, its page is replaced (nginx: proxy_intercept_errors off), or none is asked for (HAProxy: only where the health check fails)';
const NO_STATUS =
  'Errata knows no status: set X-Code to that of the failure, or ask for the path /503; or the gateway asks the port of the application, not ERRATA_GATEWAY_PORT';
const NO_EVENT = 'given by the server, or above its limit: there is no event, and nothing further to check';
const isClients = (name: string): string => `${name} is the client's: set or remove it (docs/gateway.md)`;

/** Returns what is wrong with the page, null where it has a digest that is not the client's. */
function pageProblem(page: Response, text: string): string | null {
  const hasSentence = text.startsWith(SERVER_ERROR_TEXT);
  // No other server varies by this header, and each page of Errata does.
  if (!/sec-fetch-dest/i.test(page.headers.get('vary') ?? '')) {
    if (page.status < 500) return `GATEWAY: expected a URL that fails, got status ${page.status}`;
    return `the gateway ${hasSentence ? OWN_TEXT : `answers ${page.status} by itself: ${NOT_ASKED}`}`;
  }
  const digest = page.headers.get(DIGEST_HEADER);
  if (digest === forged(DIGEST_HEADER)) return isClients(DIGEST_HEADER);
  if (digest !== null) return null;
  return hasSentence
    ? 'Errata does not trust the gateway: add its address to ERRATA_TRUST_PROXY; gateway_untrusted in the log has it'
    : NO_STATUS;
}

/** Lists what the gateway did not say about the request, or left to the client. @param event null: the page has none. */
function linesOf({ headers }: Response, event: EventDetail | null): readonly string[] {
  // The server has Errata itself, and its page says nothing about the gateway.
  if (event !== null && event.provenance.origin !== 'gateway')
    return [`the page is that of the server: ${NOT_ASKED}`];
  // An event linked to this one may have values of an earlier run.
  const seen = JSON.stringify([event?.path, event?.request, event?.tags, event?.contexts]);
  const left = NAMES.filter((name) => seen.includes(forged(name)));
  if (headers.get('retry-after') === ALWAYS['Retry-After']) left.push('Retry-After');
  const lines = left.map(isClients);
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith(WANTED_TYPE))
    lines.push(`the form is ${type}, not ${WANTED_TYPE}: set X-Format to the client's Accept`);
  if (event === null) return lines;
  const path = `${event.path}?${event.request?.query}`;
  const asked = readGatewayRequest({
    headersDistinct: { 'x-original-uri': [failing.pathname + failing.search] },
  });
  if (path !== asked.path && !left.includes('X-Original-URI'))
    lines.push(`the path is ${path}: set X-Original-URI to path and query of the request (Envoy has none)`);
  if (event.tags['service'] === failing.hostname)
    lines.push(`the service is ${failing.hostname}: set X-Service-Name, unless this is its name`);
  return lines;
}

/** Reads the first bytes of a body, which may have no end. */
async function beginningOf({ body }: Response): Promise<string> {
  for await (const chunk of body ?? []) return Buffer.from(chunk).toString();
  return '';
}

async function eventOf(reference: string): Promise<EventDetail | undefined> {
  const path = `/console/api/find?q=${encodeURIComponent(reference)}`;
  const found = await waitFor<FindAnswer>(path, ({ eventId }) => eventId !== null);
  return found && waitFor<EventDetail>(`/console/api/events/${found.eventId}`);
}

async function problems(): Promise<readonly string[]> {
  const noPage = (error: unknown): never => fail(`FAIL  ${failing.origin} ${connectionError(error)}`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const page = await fetch(failing, { headers: HEADERS, redirect: 'manual', signal }).catch(noPage);
  const problem = pageProblem(page, await beginningOf(page).catch(noPage));
  if (problem !== null) return [problem];
  const reference = page.headers.get(REFERENCE_HEADER);
  const event = reference === null ? null : await eventOf(reference);
  if (event === undefined) return [`${url} has no event ${reference}: does the gateway ask this Errata?`];
  const rest = `reference ${reference}, service ${event?.tags['service']}`;
  const digest = page.headers.get(DIGEST_HEADER);
  process.stdout.write(`ok    ${page.status}, digest ${digest}, ${event === null ? NO_EVENT : rest}\n`);
  return linesOf(page, event);
}

const text = option('GATEWAY') ?? fail('Set GATEWAY to a URL that fails behind the gateway.');
const failing = URL.parse(text) ?? fail(`GATEWAY: expected a URL, got "${text}"`);
if (!/^https?:$/.test(failing.protocol) || failing.username + failing.password !== '')
  fail('GATEWAY: expected http:// or https:// without a password');
failing.search += `${failing.search === '' ? '' : '&'}errata-doctor=query`;
const noErrata = (error: unknown): never => fail(`ERRATA_URL: ${url} ${connectionError(error)}`);
const isOpen = await hasConsole().catch(noErrata);
if (!isOpen) fail(`ERRATA_CONSOLE_TOKEN: ${url} does not accept it`);
const found = await problems().catch(noErrata);
for (const problem of found) process.stdout.write(`FAIL  ${problem}\n`);
process.exitCode = found.length > 0 ? 1 : 0;

import { pageSettings, post, postText, url } from './running.ts';
import { browserErrors, framesInClient } from './seed/browser-errors.ts';
import { ask, digestOf, hasConsole, waitFor } from './seed/console-api.ts';
import { browserEvent, RELEASES, type SeedEvent } from './seed/event.ts';
import { oddErrors } from './seed/odd-errors.ts';
import { Random } from './seed/random.ts';
import { regression, serverErrors } from './seed/server-errors.ts';

/**
 * Sends reports of all kinds to the running Errata, with real requests and envelopes. The same SEED gives the same events,
 * which are stored only once.
 */

/** Number of parallel requests: the connections of a browser. Loopback has no rate limit. */
const PARALLEL = 6;
const SERVER_ERRORS = 80;
const BROWSER_ERRORS = 60;
const DEMO_ERRORS = 20;
const JOINED = 6;
const FEEDBACK = [
  'Die Kasse geht nicht auf!',
  'It broke when I pressed "Pay" 😕',
  'Nothing happens, since this morning.',
];

await pageSettings().catch((error: unknown) => {
  const isReached = error instanceof Error && !(error instanceof TypeError);
  const problem = isReached ? error.message : `Errata does not answer at ${url}`;
  process.stderr.write(`${problem}. Run make start, or set ERRATA_URL.\n`);
  process.exit(1);
});
const random = new Random(Number(process.env['SEED'] ?? '1'));
const isConsoleOpen = await hasConsole();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Sends all in parallel and prints the number of accepted ones. */
async function sendAll<T>(
  what: string,
  all: readonly T[],
  send: (one: T) => Promise<boolean>,
): Promise<void> {
  let accepted = 0;
  const left = all.values();
  const work = async (): Promise<void> => {
    for (const one of left) if (await send(one)) accepted += 1;
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  say(`  ${String(accepted).padStart(3)} of ${String(all.length).padStart(3)}  ${what}`);
}

const sendEvent = async (event: SeedEvent): Promise<boolean> =>
  (await post({ event_id: event.event_id }, [{ type: 'event', payload: event }])) === 200;

async function sendEvents(what: string, events: readonly SeedEvent[]): Promise<SeedEvent | undefined> {
  await sendAll(what, events, sendEvent);
  return events[0];
}

/** Sends requests that throw and returns digests with references; none when the demo is off. */
async function demoErrors(): Promise<readonly (readonly [digest: string, reference: string | null])[]> {
  const names: [string, string | null][] = [];
  const queries = Array.from(
    { length: DEMO_ERRORS },
    (_, at) => `id=${random.hex(8)}&fault=${at % 3 === 2 ? 2 : 1}`,
  );
  await sendAll('demo requests that throw', queries, async (query) => {
    const answer = await fetch(`${url}/demo/server-error?${query}`);
    await answer.arrayBuffer();
    const digest = answer.headers.get('x-errata-digest');
    if (digest !== null) names.push([digest, answer.headers.get('x-errata-reference')]);
    return digest !== null;
  });
  return names;
}

/** Sends browser errors of failed requests, which are linked to server errors by the reference of the response. */
async function joinedErrors(names: Awaited<ReturnType<typeof demoErrors>>): Promise<void> {
  const values = [{ type: 'ApiError', value: 'Request failed with status code 500' }];
  const events = names.slice(-JOINED).map(([digest, reference]) => ({
    ...browserEvent(random, RELEASES[1], '/checkout', Date.now() / 1_000),
    tags: { 'errata.server_digest': digest, 'errata.server_reference': reference },
    exception: { values },
  }));
  await sendEvents('browser errors linked to a server error', events);
}

async function feedback(events: readonly (SeedEvent | undefined)[]): Promise<void> {
  const person = { name: 'Ann Önder', contact_email: 'ann@shop.example', url: `${url}/checkout` };
  const payloads = FEEDBACK.flatMap((message, index) => [
    { message, associated_event_id: events[index]?.event_id },
    { message: `${message} (without an event)` },
  ]).map((said) => ({ event_id: random.hex(32), contexts: { feedback: { ...said, ...person } } }));
  await sendAll('feedback items, half of them not linked to an event', payloads, async (payload) => {
    return (await post({ event_id: payload.event_id }, [{ type: 'feedback', payload }])) === 200;
  });
}

interface SeededIssue {
  readonly key: string;
  readonly project: string;
  readonly regressed: string | null;
}

/** Makes a regression: an error that is resolved and occurs again in a later release. */
async function comeBack(): Promise<string> {
  const earlier = regression(random, RELEASES[0]);
  await sendEvent(earlier);
  const digest = isConsoleOpen ? await digestOf(earlier.event_id) : undefined;
  if (digest === undefined)
    return 'no regression: the console is closed or the token is wrong (ERRATA_CONSOLE_TOKEN)';
  const path = `/console/api/issues/${digest}`;
  const issue = await waitFor<SeededIssue>(path);
  if (typeof issue?.regressed === 'string') return `a regression: ${digest}, from an earlier run`;
  const body = { issues: [{ key: issue?.key, project: issue?.project }], status: 'resolved' };
  const answer = await ask('/console/api/issues/status', body);
  if (!answer.ok) return `no regression: the request to resolve was answered ${answer.status}`;
  await sendEvent(regression(random, RELEASES[1]));
  const isBack = await waitFor<SeededIssue>(path, ({ regressed }) => regressed !== null);
  return isBack === undefined
    ? `no regression of ${digest} yet`
    : `a regression: ${digest} was resolved and occurred again`;
}

say(`Sending to ${url}`);
const client = await framesInClient();
if (client.length === 0)
  say('  the running client is another build than this checkout: its errors stay minified');
const server = await sendEvents('server errors of a shop, two releases', serverErrors(random, SERVER_ERRORS));
const browser = await sendEvents('minified browser errors', browserErrors(random, BROWSER_ERRORS, client));
const odd = await sendEvents('errors with unusual and very long values', oddErrors(random));
const demo = await demoErrors();
const joined = demo.at(-1)?.[0];
if (joined === undefined) say('  no linked errors: the demo is off (ERRATA_DEMO=on)');
else await joinedErrors(demo);
await feedback([server, browser, odd]);
const malformed = await postText({ event_id: random.hex(32) }, ['{"type":"event","length":9999}', '{}']);
say(`  ${malformed === 400 ? 'a' : 'no'} dead letter: a malformed envelope, answered ${malformed}`);
say(`  ${await comeBack()}`);
say('\nTry:');
const last = joined === undefined ? odd : undefined;
for (const [what, event] of [
  ['a server error', server],
  ['a browser error, mapped', browser],
  ['an error with unusual values', last],
] as const) {
  // The event ID while the console is closed; search finds both.
  const digest = isConsoleOpen && event !== undefined ? await digestOf(event.event_id) : event?.event_id;
  if (digest !== undefined) sayExample(what, digest);
}
if (joined !== undefined) sayExample('a browser error linked to a server error', joined);

function sayExample(what: string, digest: string): void {
  say(`  ${digest}  ${what}\n    ${url}/console/e/${digest}`);
}

import { RELEASES, browserEvent, type SeedEvent } from './seed/event.ts';
import { pageSettings, post, postText, url } from './running.ts';
import { browserErrors, placesInClient } from './seed/browser-errors.ts';
import { ask, digestOf, hasConsole, waitFor } from './seed/console-api.ts';
import { oddErrors } from './seed/odd-errors.ts';
import { pausedDsn } from './seed/paused-dsn.ts';
import { Random } from './seed/random.ts';
import { regression, serverErrors } from './seed/server-errors.ts';

/**
 * Sends some 180 reports of all kinds to the running Errata, with real requests and envelopes. The same SEED gives the
 * same events, which are stored only once.
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

interface Example {
  readonly what: string;
  readonly digest: string;
}

await pageSettings().catch((error: unknown) => {
  const isReached = error instanceof Error && !(error instanceof TypeError);
  const problem = isReached ? error.message : `Errata does not answer at ${url}`;
  process.stderr.write(`${problem}. Run make start, or set ERRATA_URL.\n`);
  process.exit(1);
});
const seed = Number(process.env['SEED'] ?? '1');
const random = new Random(seed);
const isConsoleOpen = await hasConsole();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function inParallel<T>(list: readonly T[], work: (entry: T) => Promise<boolean>): Promise<number> {
  let done = 0;
  const waiting = list.values();
  const one = async (): Promise<void> => {
    for (const entry of waiting) if (await work(entry)) done += 1;
  };
  await Promise.all(Array.from({ length: PARALLEL }, one));
  return done;
}

/** Sends events and prints the number of accepted ones. */
async function send(what: string, events: readonly SeedEvent[]): Promise<readonly SeedEvent[]> {
  const accepted = await inParallel(events, async (event) => {
    const header = { event_id: event.event_id };
    return (await post(header, [{ type: 'event', payload: event }])) === 200;
  });
  say(`  ${String(accepted).padStart(3)} of ${String(events.length).padStart(3)}  ${what}`);
  return events;
}

/** Names an example by its digest, or by its event ID while the console is closed; search finds both. */
async function example(what: string, event: SeedEvent | undefined): Promise<readonly Example[]> {
  if (event === undefined) return [];
  const digest = isConsoleOpen ? await digestOf(event.event_id) : event.event_id;
  return digest === undefined ? [] : [{ what, digest }];
}

/** Sends requests that throw and returns their digests; none when the demo is off. */
async function demoErrors(count: number): Promise<readonly string[]> {
  const digests = new Set<string>();
  const requests = Array.from(
    { length: count },
    (_, index) => `id=${random.hex(8)}&fault=${index % 3 === 2 ? 2 : 1}`,
  );
  const accepted = await inParallel(requests, async (query) => {
    const answer = await fetch(`${url}/demo/server-error?${query}`);
    await answer.arrayBuffer();
    const digest = answer.headers.get('x-errata-digest');
    if (digest !== null) digests.add(digest);
    return digest !== null;
  });
  say(`  ${String(accepted).padStart(3)} of ${String(count).padStart(3)}  demo requests that throw`);
  return [...digests];
}

/** Sends browser errors of failed requests, which are linked to a server error by the digest of the response. */
async function joinedErrors(serverDigests: readonly string[]): Promise<readonly Example[]> {
  const [serverDigest] = serverDigests;
  if (serverDigest === undefined) {
    say('  no linked errors: the demo is off (ERRATA_DEMO=on)');
    return [];
  }
  const events = Array.from({ length: JOINED }, () => {
    const value = 'Request failed with status code 500';
    return {
      ...browserEvent(random, RELEASES[1], '/checkout', Date.now() / 1_000),
      tags: { 'errata.server_digest': serverDigest },
      exception: { values: [{ type: 'ApiError', value }] },
    };
  });
  await send('browser errors linked to a server error', events);
  return [{ what: 'a browser error linked to a server error', digest: serverDigest }];
}

async function feedback(events: readonly SeedEvent[]): Promise<void> {
  const said = FEEDBACK.flatMap((message, index) => [
    { message, associated_event_id: events[index]?.event_id },
    { message: `${message} (without an event)` },
  ]).map((context) => ({ eventId: random.hex(32), context }));
  const accepted = await inParallel(said, async ({ eventId, context }) => {
    const about = {
      ...context,
      name: 'Ann Önder',
      contact_email: 'ann@shop.example',
      url: `${url}/checkout`,
    };
    const payload = { event_id: eventId, contexts: { feedback: about } };
    return (await post({ event_id: eventId }, [{ type: 'feedback', payload }])) === 200;
  });
  say(
    `  ${String(accepted).padStart(3)} of ${String(said.length).padStart(3)}  feedback items, half of them not linked to an event`,
  );
}

interface SeededIssue {
  readonly key: string;
  readonly project: string;
  readonly regressed: string | null;
}

/** Makes a regression: an error that is resolved and occurs again in a later release. */
async function comeBack(): Promise<string> {
  const earlier = regression(random, RELEASES[0]);
  await post({ event_id: earlier.event_id }, [{ type: 'event', payload: earlier }]);
  const digest = isConsoleOpen ? await digestOf(earlier.event_id) : undefined;
  if (digest === undefined)
    return 'no regression: the console is closed or the token is wrong (ERRATA_CONSOLE_TOKEN)';
  const path = `/console/api/issues/${digest}`;
  const issue = await waitFor<SeededIssue>(path);
  if (typeof issue?.regressed === 'string') return `a regression: ${digest}, from an earlier run`;
  const body = { issues: [{ key: issue?.key, project: issue?.project }], status: 'resolved' };
  const answer = await ask('/console/api/issues/status', body);
  if (!answer.ok) return `no regression: the request to resolve was answered ${answer.status}`;
  const later = regression(random, RELEASES[1]);
  await post({ event_id: later.event_id }, [{ type: 'event', payload: later }]);
  const isBack = await waitFor<SeededIssue>(path, ({ regressed }) => regressed !== null);
  return isBack === undefined
    ? `no regression of ${digest} yet`
    : `a regression: ${digest} was resolved and occurred again`;
}

say(`Sending to ${url}`);
// Runs for some seconds in parallel, and so has random numbers of its own.
const pausing = pausedDsn(new Random(seed + 1));
const places = await placesInClient();
if (places.size === 0)
  say('  the running client is another build than this checkout: its errors stay minified');
const server = await send('server errors of a shop, two releases', serverErrors(random, SERVER_ERRORS));
const browser = await send('minified browser errors', browserErrors(random, BROWSER_ERRORS, places));
const odd = await send('errors with unusual and very long values', oddErrors(random));
const demo = await demoErrors(DEMO_ERRORS);
const joined = await joinedErrors(demo);
await feedback([...server.slice(0, 2), ...browser.slice(0, 1)]);
const malformed = await postText({ event_id: random.hex(32) }, ['{"type":"event","length":9999}', '{}']);
say(
  `  ${malformed === 400 ? 'a dead letter: a malformed envelope, answered 400' : `no dead letter: the malformed envelope was answered ${malformed}`}`,
);
say(`  ${await comeBack()}`);
say(`  ${await pausing}`);
const examples = [
  ...(await example('a server error', server[0])),
  ...(await example('a browser error, mapped', browser[0])),
  ...(joined.length > 0 ? joined : await example('an error with unusual values', odd[0])),
];
say('\nTry:');
for (const { what, digest } of examples) say(`  ${digest}  ${what}\n    ${url}/console/e/${digest}`);

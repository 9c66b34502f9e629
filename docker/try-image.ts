import { setTimeout as delay } from 'node:timers/promises';

/**
 * Sends requests to a container that was just started and prints a PASS or FAIL line for each check:
 * `node docker/try-image.ts <application URL> <management URL> <time of the start, ms> <longest start, ms>`.
 */

/** After this time the start counts as failed. */
const GIVE_UP_MS = 30_000;
const EVENT_ID = '5e1f0c0de0000000000000000badc0de';

const [application = '', management = '', startedAt = '0', maxStartMs = '0'] = process.argv.slice(2);

function judge(what: string, isGood: boolean, found: string): void {
  process.stdout.write(isGood ? `PASS  ${what}\n` : `FAIL  ${what}: ${found}\n`);
}

async function get(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
}

async function judgeStatus(what: string, url: string, wanted: number): Promise<void> {
  const { status } = await get(url);
  judge(`${what} answers ${wanted}`, status === wanted, String(status));
}

async function startMs(): Promise<number | undefined> {
  while (Date.now() - Number(startedAt) < GIVE_UP_MS) {
    const isReady = await fetch(`${management}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return Date.now() - Number(startedAt);
    await delay(20);
  }
  return undefined;
}

/** Returns the DSN from the page's settings; without a `SENTRY_DSN` it is the DSN that Errata created. */
function dsnOf(page: string): string {
  const content = /<meta name="errata" content=(?:'([^']*)'|"([^"]*)")/.exec(page);
  const text = (content?.[1] ?? content?.[2] ?? '{}').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  const settings: unknown = JSON.parse(text);
  return typeof settings === 'object' && settings !== null && 'dsn' in settings ? String(settings.dsn) : '';
}

async function post(dsn: string): Promise<{ readonly status: number; readonly text: string }> {
  const exception = { values: [{ type: 'Error', value: 'an error to try the image with' }] };
  const lines = [
    { dsn, event_id: EVENT_ID },
    { type: 'event' },
    { event_id: EVENT_ID, platform: 'javascript', exception },
  ];
  const answer = await fetch(`${application}/tunnel`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  return { status: answer.status, text: await answer.text() };
}

async function judgePages(): Promise<void> {
  const page = await get(`${application}/`);
  judge('GET / answers 200', page.status === 200, String(page.status));
  await judgeStatus('GET /no-such-page', `${application}/no-such-page`, 404);
  const script = /\/console\/assets\/[\w.-]+\.js/.exec(page.text)?.[0] ?? '/console/assets/none.js';
  await judgeStatus(`GET ${script}`, `${application}${script}`, 200);
  await judgeStatus(`GET ${script}.map`, `${application}${script}.map`, 404);
  const posted = await post(dsnOf(page.text));
  const isAccepted = posted.status === 200 && posted.text === JSON.stringify({ id: EVENT_ID });
  judge('a posted envelope answers 200 with its id', isAccepted, `${posted.status} ${posted.text}`);
}

const tookMs = await startMs();
judge(
  `ready ${tookMs ?? '?'} ms after the start (at most ${maxStartMs})`,
  (tookMs ?? Infinity) <= Number(maxStartMs),
  'too late',
);
if (tookMs !== undefined) {
  await judgeStatus('GET /livez', `${management}/livez`, 200);
  await judgeStatus('GET /metrics', `${management}/metrics`, 200);
  await judgePages();
}

import { randomUUID } from 'node:crypto';
import { pageSettings, postEnvelope, url } from './running.ts';

/** Fills the running Errata with a few errors, through the front door: real requests and real envelopes. */

const MESSAGES = ['cart is undefined', 'Failed to fetch /api/orders/7', 'größe ist keine Zahl'];

function browserEvent(
  message: string,
  release: string,
): { readonly event_id: string } & Record<string, unknown> {
  return {
    event_id: randomUUID().replaceAll('-', ''),
    platform: 'javascript',
    timestamp: Date.now() / 1_000,
    release,
    environment: 'seed',
    request: {
      url: `${url}/checkout`,
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/149.0' },
    },
    exception: { values: [{ type: 'TypeError', value: message }] },
  };
}

const settings = await pageSettings();
let sent = 0;
for (const release of ['1.0.0', '1.1.0']) {
  for (const message of MESSAGES) {
    if ((await postEnvelope(settings, browserEvent(message, release))) === 200) sent += 1;
  }
}
process.stdout.write(`sent ${sent} browser errors\n`);
for (const fault of ['1', '2']) {
  const answer = await fetch(`${url}/demo/server-error?id=${randomUUID()}&fault=${fault}`);
  const digest = answer.headers.get('x-errata-digest');
  const line =
    digest === null ? 'no server error: the demo is off (ERRATA_DEMO=on)' : `try ${url}/console/e/${digest}`;
  process.stdout.write(`${line}\n`);
}

import { get } from 'node:http';
import { type Browser, chromium } from '@playwright/test';
import { errorEnvelope, newEventId } from '../../e2e/fixtures/envelopes.ts';
import { ErrataProcess, TOKEN } from '../../e2e/fixtures/errata-process.ts';
import { findChromium } from '../../e2e/fixtures/find-chromium.ts';
import { median } from '../figures.ts';
import { table } from '../table.ts';
import { type Cookies, visit, type Visit } from './visit.ts';

/**
 * What a first visit of each page costs on a slow phone: bytes of its scripts, and when its largest part is painted.
 * The budgets are those of docs/benchmarks.md.
 */

const VISITS = 5;
const KIB = 1024;

interface MeasuredPage {
  readonly name: string;
  readonly path: string;
  readonly isSignedIn: boolean;
  /** Scripts before anything can be done with the page, gzip; the SDK comes later and has its own. */
  readonly maxKib: number;
  readonly maxSdkKib: number;
  readonly maxLcpMs: number;
}

const CONSOLE = { isSignedIn: true, maxKib: 120, maxSdkKib: 32, maxLcpMs: 2_000 };
const PLAIN = { isSignedIn: false, maxKib: 0, maxSdkKib: 0, maxLcpMs: 400 };

/** The lazily loaded SDK: see frontend/src/reporting/late-client.ts. */
const SDK = /\/late-client-/;

function pagesOf(digest: string): readonly MeasuredPage[] {
  return [
    { ...CONSOLE, name: 'console: find', path: '/console' },
    { ...CONSOLE, name: 'console: answer', path: `/console/e/${digest}` },
    { ...CONSOLE, name: 'console: issues', path: '/console/issues' },
    { ...CONSOLE, name: 'console: sign in', path: '/console/sign-in', isSignedIn: false },
    { ...PLAIN, name: 'error page', path: '/demo/server-error?id=1' },
    { ...PLAIN, name: 'not found', path: '/no/such/page' },
  ];
}

/** Bytes of a file as a browser that takes gzip gets it. */
function gzipBytes(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve(bytes));
      response.on('error', reject);
    }).on('error', reject);
  });
}

async function kibOf(urls: readonly string[]): Promise<number> {
  const sizes = await Promise.all(urls.map(gzipBytes));
  return sizes.reduce((sum, bytes) => sum + bytes, 0) / KIB;
}

async function signIn(browser: Browser, url: string): Promise<Cookies> {
  const context = await browser.newContext();
  await context.request.post(`${url}/console/api/session`, {
    data: { token: TOKEN },
    headers: { origin: url },
  });
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

async function digestOf(url: string, dsn: string): Promise<string> {
  const eventId = newEventId();
  await fetch(`${url}/tunnel`, { method: 'POST', body: errorEnvelope(dsn, eventId) });
  for (;;) {
    const answer = await fetch(`${url}/console/api/issues/${eventId}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    if (answer.ok) return ((await answer.json()) as { digest: string }).digest;
  }
}

async function ownDsn(url: string): Promise<string> {
  const html = await (await fetch(url)).text();
  const content = /<meta name="errata" content="([^"]+)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '{}';
  return (JSON.parse(content) as { dsn: string }).dsn;
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'NOT MET';
}

async function measure(
  browser: Browser,
  errata: ErrataProcess,
  cookies: Cookies,
  page: MeasuredPage,
): Promise<readonly string[]> {
  const visits: Visit[] = [];
  for (let time = 0; time < VISITS; time += 1) {
    const late = page.maxSdkKib > 0 ? SDK : null;
    visits.push(await visit(browser, errata.url + page.path, page.isSignedIn ? cookies : [], late));
  }
  const [{ scripts, styles, requests }] = visits as [Visit, ...Visit[]];
  const firstLoad = await kibOf(scripts.filter((url) => !SDK.test(url)));
  const sdk = await kibOf(scripts.filter((url) => SDK.test(url)));
  const lcpMs = median(visits.map((one) => one.lcpMs));
  const isMet = firstLoad <= page.maxKib && sdk <= page.maxSdkKib && lcpMs <= page.maxLcpMs;
  return [
    page.name,
    verdict(isMet),
    `${firstLoad.toFixed(1)} (<= ${page.maxKib})`,
    `${sdk.toFixed(1)} (<= ${page.maxSdkKib})`,
    `${Math.round(lcpMs)} (<= ${page.maxLcpMs})`,
    (await kibOf(styles)).toFixed(1),
    String(requests),
  ];
}

const errata = await new ErrataProcess().start();
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
});
const digest = await digestOf(errata.url, await ownDsn(errata.url));
const cookies = await signIn(browser, errata.url);
const rows: (readonly string[])[] = [
  ['page', 'verdict', 'scripts, KiB gz', 'SDK, later, KiB gz', 'LCP ms', 'styles, KiB gz', 'requests'],
];
for (const page of pagesOf(digest)) rows.push(await measure(browser, errata, cookies, page));
process.stdout.write(`first visits, slow 4G (150 ms, 1.6 Mbit/s), 4x slower CPU, medians of ${VISITS}\n\n`);
process.stdout.write(`${table(rows, 2)}\n`);
await browser.close();
await errata.stop();

import type { IssueKind } from '../../contract/event-api.ts';
import { type Fields, fieldsAt } from '../../digest/fields.ts';

/**
 * SDKs that run in a page or in the web view of an app only. Those of frameworks (`nextjs`, `react-router`, `sveltekit`)
 * have one name in the page and on the server.
 */
const PAGE_SDKS: ReadonlySet<unknown> = new Set(
  [
    'angular',
    'angular-ivy',
    'browser',
    'capacitor',
    'cordova',
    'ember',
    'gatsby',
    'preact',
    'react',
    'react-native',
    'solid',
    'svelte',
    'vue',
    'wasm',
  ].map((name) => `sentry.javascript.${name}`),
);

/**
 * Returns whether an event came from a page or from a server process. Bun, Deno and the workers of Cloudflare and Vercel
 * have the platform of pages and a request, too; but a page has no runtime, no server name and no method of a request.
 */
export function kindOf(event: Fields): IssueKind {
  if (PAGE_SDKS.has(fieldsAt(event, 'sdk')['name'])) return 'browser';
  if (event['platform'] !== 'javascript') return 'server';
  const { url, method } = fieldsAt(event, 'request');
  const facts = [fieldsAt(event, 'contexts', 'runtime')['name'], event['server_name'], method];
  if (facts.some((fact) => typeof fact === 'string' && fact !== '')) return 'server';
  const isPage = typeof url === 'string' || Object.keys(fieldsAt(event, 'contexts', 'browser')).length > 0;
  return isPage ? 'browser' : 'server';
}

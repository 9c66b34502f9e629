import {
  type ClientRoute,
  DEMO_CLIENT_ERROR_PATH,
  DEMO_FAILED_REQUEST_PATH,
} from '@errata/backend/contract/routes.ts';
import type { QueryClient } from '@tanstack/react-query';
import { matchPath, type Params } from 'react-router';
import { atServer } from '../api/base-path.ts';
import { BrokenPage, FailedRequestPage } from './demo-pages.tsx';
import { type Chunk, chunkOf } from './page-chunk.tsx';
import { ShellHome } from './shell-home.tsx';

interface AppRoute extends ClientRoute, Pick<Chunk, 'page'> {
  /** Chunks of the page, outermost first: the frame, then the page in it. */
  readonly chunks?: readonly Chunk[];
  /**
   * Requests the data of the page and resolves when the request is sent. The page itself would request it after its
   * first paint; on a slow phone the answer may be there by then.
   */
  readonly prefetch?: (client: QueryClient, params: Params, search: URLSearchParams) => Promise<void>;
}

/** Stays mounted while its pages change. */
export const consoleFrame = chunkOf(
  async () => (await import('../console/shell/console-frame.tsx')).ConsoleFrame,
);

function consolePage(path: string, importPage: Parameters<typeof chunkOf>[0]): AppRoute {
  const page = chunkOf(importPage);
  return { path, page: page.page, chunks: [consoleFrame, page], noindex: true };
}

const importAnswer = () => import('../console/answer/answer-page.tsx');

/**
 * The route table. The build writes it to routes.json, so that the server answers a page with index.html (200) and an
 * unknown path with 404.
 */
export const routes: readonly AppRoute[] = [
  { path: '/', page: ShellHome },
  { path: DEMO_CLIENT_ERROR_PATH, page: BrokenPage, demo: true, noindex: true },
  { path: DEMO_FAILED_REQUEST_PATH, page: FailedRequestPage, demo: true, noindex: true },
  consolePage('/console', async () => (await import('../console/find/find-page.tsx')).FindPage),
  {
    ...consolePage('/console/e/:digest', async () => (await importAnswer()).AnswerPage),
    prefetch: async (...address) => (await importAnswer()).prefetchAnswer(...address),
  },
  consolePage('/console/issues', async () => (await import('../console/issues/issues-page.tsx')).IssuesPage),
  consolePage('/console/live', async () => (await import('../console/live/live-page.tsx')).LivePage),
  consolePage(
    '/console/delivery',
    async () => (await import('../console/delivery/delivery-page.tsx')).DeliveryPage,
  ),
  consolePage('/console/setup', async () => (await import('../console/setup/setup-page.tsx')).SetupPage),
  consolePage(
    '/console/account',
    async () => (await import('../console/account/account-page.tsx')).AccountPage,
  ),
  consolePage(
    '/console/sign-in',
    async () => (await import('../console/sign-in/sign-in-page.tsx')).SignInPage,
  ),
];

/** A path that no page of the console has: its frame says so. The server answers it with 404. */
export const UNKNOWN: AppRoute = { path: '/console/*', page: consoleFrame.page, chunks: [consoleFrame] };

/** Loads the chunks of the page at this address, if it has some, and requests its first data. */
export async function loadPage(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  client: QueryClient,
): Promise<void> {
  for (const { path, chunks = [], prefetch } of [...routes, UNKNOWN]) {
    const match = matchPath(atServer(path), pathname);
    if (match === null) continue;
    const data = prefetch?.(client, match.params, new URLSearchParams(search));
    await Promise.all([data, ...chunks.map(({ load }) => load())]);
    return;
  }
}

import {
  type ClientRoute,
  DEMO_CLIENT_ERROR_PATH,
  DEMO_FAILED_REQUEST_PATH,
} from '@errata/backend/contract/routes.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, lazy, useState } from 'react';
import { matchPath, type Params } from 'react-router';
import { atServer } from '../api/base-path.ts';
import { BrokenPage, FailedRequestPage } from './demo-pages.tsx';
import { ShellHome } from './shell-home.tsx';

/** Props of every page of the route table. */
interface PageProps {
  readonly hasDemo: boolean;
}

type PageComponent = ComponentType<PageProps>;

interface AppRoute extends ClientRoute {
  readonly page: PageComponent;
  /** Module under src/ of a page with its own chunk; the build preloads its files. */
  readonly source?: string;
  /** Resolves when that chunk is loaded. */
  readonly load?: () => Promise<PageComponent>;
  /**
   * Requests the data of the page and resolves when the request is sent. The page itself would request it after its
   * first paint; on a slow phone the answer may be there by then.
   */
  readonly prefetch?: (client: QueryClient, params: Params, search: URLSearchParams) => Promise<void>;
}

function ownChunk(source: string, importPage: () => Promise<PageComponent>) {
  let loaded: PageComponent | undefined;
  const load = async () => (loaded ??= await importPage());
  const Later = lazy(async () => ({ default: await load() }));
  function PageOfChunk(props: PageProps) {
    // Fixed for the life of the page: switching the component would remount the page.
    const [Here] = useState<PageComponent>(() => loaded ?? Later);
    return <Here {...props} />;
  }
  return { page: PageOfChunk, source, load };
}

const findPage = ownChunk(
  'console/find/find-page.tsx',
  async () => (await import('../console/find/find-page.tsx')).FindPage,
);
const importAnswer = () => import('../console/answer/answer-page.tsx');
const answerPage = ownChunk('console/answer/answer-page.tsx', async () => (await importAnswer()).AnswerPage);
const issuesPage = ownChunk(
  'console/issues/issues-page.tsx',
  async () => (await import('../console/issues/issues-page.tsx')).IssuesPage,
);
const signInPage = ownChunk(
  'console/sign-in/sign-in-page.tsx',
  async () => (await import('../console/sign-in/sign-in-page.tsx')).SignInPage,
);
const livePage = ownChunk(
  'console/live/live-page.tsx',
  async () => (await import('../console/live/live-page.tsx')).LivePage,
);
const deliveryPage = ownChunk(
  'console/delivery/delivery-page.tsx',
  async () => (await import('../console/delivery/delivery-page.tsx')).DeliveryPage,
);
const setupPage = ownChunk(
  'console/setup/setup-page.tsx',
  async () => (await import('../console/setup/setup-page.tsx')).SetupPage,
);
const accountPage = ownChunk(
  'console/account/account-page.tsx',
  async () => (await import('../console/account/account-page.tsx')).AccountPage,
);

/**
 * The route table. The build writes it to routes.json, so that the server answers a page with index.html (200) and an
 * unknown path with 404.
 */
export const routes: readonly AppRoute[] = [
  { path: '/', page: ShellHome },
  { path: DEMO_CLIENT_ERROR_PATH, page: BrokenPage, demo: true, noindex: true },
  { path: DEMO_FAILED_REQUEST_PATH, page: FailedRequestPage, demo: true, noindex: true },
  { path: '/console', ...findPage, noindex: true },
  {
    path: '/console/e/:digest',
    ...answerPage,
    prefetch: async (...address) => (await importAnswer()).prefetchAnswer(...address),
    noindex: true,
  },
  { path: '/console/issues', ...issuesPage, noindex: true },
  { path: '/console/live', ...livePage, noindex: true },
  {
    path: '/console/delivery',
    ...deliveryPage,
    noindex: true,
  },
  { path: '/console/setup', ...setupPage, noindex: true },
  { path: '/console/account', ...accountPage, noindex: true },
  { path: '/console/sign-in', ...signInPage, noindex: true },
];

/** Loads the chunk of the page at this address, if it has one, and requests its first data. */
export async function loadPage(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  client: QueryClient,
): Promise<void> {
  for (const route of routes) {
    const match = matchPath(atServer(route.path), pathname);
    if (match === null) continue;
    await route.load?.();
    await route.prefetch?.(client, match.params, new URLSearchParams(search));
    return;
  }
}

import {
  DEMO_CLIENT_ERROR_PATH,
  DEMO_FAILED_REQUEST_PATH,
  type ClientRoute,
} from '@errata/backend/contract/routes.ts';
import { lazy, type ComponentType } from 'react';
import { BrokenPage } from './broken-page.tsx';
import { FailedRequestPage } from './failed-request-page.tsx';
import { ShellHome } from './shell-home.tsx';

/** What every page of the table is given. */
export interface PageProps {
  readonly hasDemo: boolean;
}

interface AppRoute extends ClientRoute {
  readonly page: ComponentType<PageProps>;
}

const FindPage = lazy(async () => ({ default: (await import('../console/find/find-page.tsx')).FindPage }));
const AnswerPage = lazy(async () => ({
  default: (await import('../console/answer/answer-page.tsx')).AnswerPage,
}));
const IssuesPage = lazy(async () => ({
  default: (await import('../console/issues/issues-page.tsx')).IssuesPage,
}));
const SignInPage = lazy(async () => ({ default: (await import('../console/sign-in-page.tsx')).SignInPage }));
const LivePage = lazy(async () => ({ default: (await import('../console/live/live-page.tsx')).LivePage }));
const DeliveryPage = lazy(async () => ({
  default: (await import('../console/delivery/delivery-page.tsx')).DeliveryPage,
}));
const AccountPage = lazy(async () => ({
  default: (await import('../console/account/account-page.tsx')).AccountPage,
}));

/**
 * The one route table. The build writes it to routes.json, by which the server tells a page (index.html, 200) from
 * a path that does not exist (404).
 */
export const routes: readonly AppRoute[] = [
  { path: '/', page: ShellHome },
  { path: DEMO_CLIENT_ERROR_PATH, page: BrokenPage, demo: true, noindex: true },
  { path: DEMO_FAILED_REQUEST_PATH, page: FailedRequestPage, demo: true, noindex: true },
  { path: '/console', page: FindPage, noindex: true },
  { path: '/console/e/:digest', page: AnswerPage, noindex: true },
  { path: '/console/issues', page: IssuesPage, noindex: true },
  { path: '/console/live', page: LivePage, noindex: true },
  { path: '/console/delivery', page: DeliveryPage, noindex: true },
  { path: '/console/account', page: AccountPage, noindex: true },
  { path: '/console/sign-in', page: SignInPage, noindex: true },
];

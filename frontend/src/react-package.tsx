import type { ReactElement, ReactNode } from 'react';
import { ErrorBoundary as ReportingBoundary } from './errors/error-boundary.tsx';
import { ErrorPage as ReportingPage } from './errors/error-page.tsx';
import pageCss from './errors/error-pages.module.css?inline';
import pageClasses from './errors/error-pages.module.css';
import { hostedStyle } from './errors/hosted-style.ts';
import { PageHelp } from './errors/page-help.tsx';
import { reportCaught, reportFailure } from './errors/report-failure.ts';
import { rootHandlers as rootHandlersOf } from './errors/root-handlers.ts';
import { RouterErrors } from './errors/router-errors.tsx';
import { Reporter } from './reporting/reporter.ts';
import { completeSettings, hasDsn, readSettings } from './reporting/settings.ts';
import { startReporting as startReportingOn } from './reporting/start-reporting.ts';
import tokensCss from './ui/tokens.css?inline';

/**
 * The package for React applications of others (tools/pack.ts). Its types are public, so they name nothing of Errata. It must
 * change no style of the application and needs no style sheet of its own file.
 */

export interface ReportingOptions {
  /** DSN of the project; the console shows it. */
  readonly dsn: string;
  /** Path or URL of the tunnel, by default that of the page's `<meta name="errata">`, else `/tunnel`. */
  readonly tunnel?: string | undefined;
  /** By default, as `environment`, that of the page's `<meta name="errata">`. */
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
}

/** One for the page. Without `startReporting`, as on a server, its reports go nowhere. */
const reporter = new Reporter();
const NO_DSN =
  'errata-react: nothing is reported. startReporting({ dsn }) has no valid DSN, and this page none of Errata. The page /console/setup of Errata has the DSN.';
let stopReporting: (() => void) | null = null;
let hasWarned = false;

/**
 * Reports errors of this page: what the boundary catches, and what no code handles. Call it before the first render; a
 * second call replaces the first.
 *
 * @param options by default those of `<meta name="errata">`, which Errata writes into a page that it serves; it also has
 * the values of options that are left out. Without both, or without a valid DSN, nothing is sent; a warning says so once.
 */
export function startReporting(options?: ReportingOptions): void {
  // Rendered on a server, where there is no page to report from.
  if (typeof document === 'undefined') return;
  const ofPage = readSettings(document);
  const settings = options === undefined ? ofPage : completeSettings(options, ofPage);
  if (stopReporting === null) adoptStyles();
  stopReporting?.();
  stopReporting = startReportingOn(window, settings, reporter);
  if (!hasDsn(settings)) warnOnce();
}

/** A page without reports looks like one without errors. */
function warnOnce(): void {
  if (hasWarned) return;
  hasWarned = true;
  // oxlint-disable-next-line no-console -- for the developer of the page
  console.warn(NO_DSN);
}

/** What the error pages have beside their text: the reference of a report, Try again, Home, and a link to support. */
export interface ErrorPageHelp {
  /** Address of the link "Get help"; `{digest}` and `{reference}` in it are replaced, by nothing where the page lacks the code. */
  readonly supportUrl?: string | undefined;
}

export interface ErrorBoundaryProps {
  /** By default as `<meta name="errata">` says, with `ERRATA_ERROR_PAGE=helpful` of the server; false for none. */
  readonly help?: ErrorPageHelp | false | undefined;
  /** A changed value shows the children again, such as the path of the page. */
  readonly resetKey?: string | undefined;
  readonly children?: ReactNode;
}

/** Replaces its children by the application-error page when one of them cannot be rendered, and reports the error. */
export function ErrorBoundary({ help, resetKey, children }: ErrorBoundaryProps): ReactElement {
  return (
    <PageHelp help={help}>
      <ReportingBoundary reporter={reporter} {...(resetKey === undefined ? {} : { resetKey })}>
        <RouterErrors reporter={reporter}>{children}</RouterErrors>
      </ReportingBoundary>
    </PageHelp>
  );
}

export interface ErrorPageProps {
  /** What was thrown: `useRouteError()` of React Router. TanStack Router and Next.js pass it to their error components. */
  readonly error: unknown;
  /** By default that of an `ErrorBoundary` around the page, else as `<meta name="errata">` says; false for none. */
  readonly help?: ErrorPageHelp | false | undefined;
}

/**
 * The application-error page for a router's error element: it reports the error. For a path that React Router does not know, and
 * for a response of 4xx that was thrown, it is the page of that status and reports nothing.
 */
export function ErrorPage({ error, help }: ErrorPageProps): ReactElement {
  return (
    <PageHelp help={help}>
      <ReportingPage reporter={reporter} error={error} />
    </PageHelp>
  );
}

export interface ReportedErrorInfo {
  readonly componentStack?: string | null | undefined;
  /** React Router passes React's info inside of its own. */
  readonly errorInfo?: { readonly componentStack?: string | null | undefined } | undefined;
}

/**
 * Reports an error that other code has caught, and prints it with its reference: `onError` of React Router's `RouterProvider`,
 * `onCatch` of TanStack Router, `componentDidCatch` of an own boundary, or a catch block. The same error is reported once.
 */
export function reportError(error: unknown, info?: ReportedErrorInfo): void {
  const { componentStack } = info?.errorInfo ?? info ?? {};
  const report = info === undefined ? reportFailure : reportCaught;
  report(reporter, error, { source: 'caught', componentStack });
}

export type RootErrorHandler = (
  error: unknown,
  info: { readonly componentStack?: string | null | undefined; readonly errorBoundary?: unknown },
) => void;

export interface RootHandlers {
  readonly onCaughtError: RootErrorHandler;
  readonly onUncaughtError: RootErrorHandler;
  readonly onRecoverableError: RootErrorHandler;
}

/**
 * Returns the options of `createRoot` that report every error of React, also those that no boundary or another one has caught.
 * Where React unmounts the root, its container shows the error page's sentence. React 18 calls `onRecoverableError` only.
 */
export function rootHandlers(container: Element): RootHandlers {
  return rootHandlersOf(reporter, container);
}

/** Adds the style of the error page as a sheet of the document, which no policy forbids; a browser without such sheets shows it plain. */
function adoptStyles(): void {
  if (!('adoptedStyleSheets' in document)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(hostedStyle(tokensCss, pageCss, pageClasses));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

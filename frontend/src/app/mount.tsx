import type { BrowserSettings } from '@errata/backend/contract/browser-settings.ts';
import { isConsolePath } from '@errata/backend/contract/routes.ts';
import { TRY_AGAIN_TEXT } from '@errata/backend/contract/texts.ts';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Route, Routes, useLocation } from 'react-router';
import { basePath } from '../api/base-path.ts';
import { createQueryClient } from '../api/query-client.ts';
import { ErrorBoundary } from '../errors/error-boundary.tsx';
import { MissingPage } from '../errors/missing-page.tsx';
import { PageHelpContext } from '../errors/page-help-context.ts';
import { rootHandlers } from '../errors/root-handlers.ts';
import type { Reporter } from '../reporting/reporter.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { consoleFrame, loadPage, routes, UNKNOWN } from './routes.tsx';

/** Shown while the chunk of a page loads. */
function LoadingPage() {
  return (
    <main>
      <Skeleton label="Loading the page" lines={5} />
    </main>
  );
}

interface AppProps {
  readonly reporter: Reporter;
  readonly client: QueryClient;
  readonly hasDemo: boolean;
}

/** The console has Try again where its frame could not be loaded or rendered, too. */
const renderRetry = () => (
  <div>
    <p>
      <button type="button" onClick={() => window.location.reload()}>
        {TRY_AGAIN_TEXT}
      </button>
    </p>
  </div>
);

/** Resets the boundary on navigation; it needs the router for that. */
function RoutedBoundary({
  reporter,
  children,
}: {
  readonly reporter: Reporter;
  readonly children: ReactNode;
}) {
  const { key, pathname } = useLocation();
  return (
    <PageHelpContext value={isConsolePath(pathname) ? renderRetry : undefined}>
      <ErrorBoundary reporter={reporter} resetKey={key}>
        {children}
      </ErrorBoundary>
    </PageHelpContext>
  );
}

export function App({ reporter, client, hasDemo }: AppProps) {
  const props = { reporter, hasDemo };
  const pages = (isFramed: boolean) =>
    routes
      .filter(({ demo, path }) => (hasDemo || demo !== true) && isConsolePath(path) === isFramed)
      .map(({ path, page: Page }) => <Route key={path} path={path} element={<Page {...props} />} />);
  const frame = <consoleFrame.page {...props} />;
  return (
    <QueryClientProvider client={client}>
      <BrowserRouter basename={basePath}>
        <RoutedBoundary reporter={reporter}>
          <Suspense fallback={<LoadingPage />}>
            <Routes>
              {pages(false)}
              <Route element={frame}>{pages(true)}</Route>
              <Route path={UNKNOWN.path} element={frame} />
              <Route path="*" element={<MissingPage />} />
            </Routes>
          </Suspense>
        </RoutedBoundary>
      </BrowserRouter>
    </QueryClientProvider>
  );
}

/** Longest wait for the chunk of a page before its placeholder is rendered, ms. */
const PATIENCE_MS = 400;

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
}

/**
 * Renders the client. The chunk of a page usually arrives with the first files; rendered without it, React would show
 * the placeholder for at least 300 ms. The data of the page loads meanwhile.
 */
export function mount(page: Document, reporter: Reporter, settings: BrowserSettings | null): void {
  const container = page.querySelector('#root');
  if (container === null) throw new Error('index.html has no #root');
  const root = createRoot(container, rootHandlers(reporter, container));
  const client = createQueryClient((error) => void reporter.capture(error, { source: 'query' }));
  const draw = () =>
    root.render(<App reporter={reporter} client={client} hasDemo={settings?.demo ?? false} />);
  // The boundary reports a chunk that does not load.
  void Promise.race([loadPage(page.location, client), patience()]).then(draw, draw);
}

import type { BrowserSettings } from '@errata/backend/contract/browser-settings.ts';
import { CLIENT_ERROR_TEXT } from '@errata/backend/contract/texts.ts';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Route, Routes, useLocation } from 'react-router';
import { createQueryClient } from '../api/query-client.ts';
import { ErrorBoundary } from '../errors/error-boundary.tsx';
import { MissingPage } from '../errors/missing-page.tsx';
import { printFailure } from '../errors/print-failure.ts';
import type { Reporter } from '../reporting/reporter.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { loadPage, routes } from './routes.tsx';

/** While a page's chunk is on its way. */
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

/** Inside the router, so that going elsewhere leaves the failure behind. */
function RoutedBoundary({
  reporter,
  children,
}: {
  readonly reporter: Reporter;
  readonly children: ReactNode;
}) {
  const { key } = useLocation();
  return (
    <ErrorBoundary reporter={reporter} resetKey={key}>
      {children}
    </ErrorBoundary>
  );
}

export function App({ reporter, client, hasDemo }: AppProps) {
  return (
    <QueryClientProvider client={client}>
      <BrowserRouter>
        <RoutedBoundary reporter={reporter}>
          <Suspense fallback={<LoadingPage />}>
            <Routes>
              {routes
                .filter(({ demo }) => hasDemo || demo !== true)
                .map(({ path, page: Page }) => (
                  <Route key={path} path={path} element={<Page hasDemo={hasDemo} />} />
                ))}
              <Route path="*" element={<MissingPage />} />
            </Routes>
          </Suspense>
        </RoutedBoundary>
      </BrowserRouter>
    </QueryClientProvider>
  );
}

/** React unmounted: not even the boundary could be drawn. The sentence needs no React. */
function showBareSentence(container: Element): void {
  const sentence = container.ownerDocument.createElement('h1');
  sentence.textContent = CLIENT_ERROR_TEXT;
  const alert = container.ownerDocument.createElement('div');
  alert.setAttribute('role', 'alert');
  alert.append(sentence);
  const main = container.ownerDocument.createElement('main');
  main.append(alert);
  container.replaceChildren(main);
}

/** How long a page's chunk is waited for before its place-holder is drawn, ms. */
const PATIENCE_MS = 400;

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
}

/**
 * Draws the client. A page's chunk comes along with the first files, as a rule before them; drawn without it, React
 * would show the place-holder and hold on to it for 300 ms. What the page shows is asked for meanwhile.
 */
export function mount(page: Document, reporter: Reporter, settings: BrowserSettings | null): void {
  const container = page.querySelector('#root');
  if (container === null) throw new Error('index.html has no #root');
  const root = createRoot(container, {
    // The boundary prints and reports what it caught; React's own line would say it twice.
    onCaughtError: () => undefined,
    onUncaughtError: (error, { componentStack }) => {
      printFailure(error, reporter.capture(error, { source: 'root', componentStack }));
      showBareSentence(container);
    },
  });
  const client = createQueryClient((error) => void reporter.capture(error, { source: 'query' }));
  const draw = () =>
    root.render(<App reporter={reporter} client={client} hasDemo={settings?.demo ?? false} />);
  // A chunk that does not come is for the boundary to say.
  void Promise.race([loadPage(page.location, client), patience()]).then(draw, draw);
}

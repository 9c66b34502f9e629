import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { Suspense, type ReactNode } from 'react';
import { BrowserRouter, Route, Routes, useLocation } from 'react-router';
import { ErrorBoundary } from '../errors/error-boundary.tsx';
import { MissingPage } from '../errors/missing-page.tsx';
import type { Reporter } from '../reporting/reporter.ts';
import { LoadingPage } from './loading-page.tsx';
import { routes } from './routes.tsx';

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

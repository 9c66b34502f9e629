import {
  cloneElement,
  createContext,
  isValidElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useMemo,
  useState,
} from 'react';
import type { Reporter } from '../reporting/reporter.ts';
import { isRecord } from '../reporting/settings.ts';
import { ErrorPage } from './error-page.tsx';
import { FailedPage } from './failed-page.tsx';
import { reportCaught } from './report-failure.ts';

/** React Router's info for `onError`: `errorInfo` is React's, for an error of a component. */
interface RouterErrorInfo {
  readonly errorInfo?: { readonly componentStack?: string | null | undefined } | undefined;
}
type OnError = (error: unknown, info: RouterErrorInfo) => void;

interface Route {
  errorElement?: ReactNode;
  readonly ErrorBoundary?: unknown;
}

/** The parts of a data router of React Router (`createBrowserRouter`) that are used here. */
interface DataRouter {
  readonly routes: readonly Route[];
  readonly state: {
    readonly location: { readonly key: string };
    readonly matches: readonly { readonly route: Route }[];
    /** Errors of loaders and actions, by the route that shows them. */
    readonly errors: Readonly<Record<string, unknown>> | null;
  };
}
interface ProviderProps {
  readonly router: DataRouter;
  readonly onError?: OnError | undefined;
}
interface PageProps {
  readonly reporter: Reporter;
  readonly router: DataRouter;
}

/** Error of a component, and the location where it happened. The router gives it to `onError` only. */
const LastError = createContext<{ readonly error: unknown; readonly key: string } | null>(null);

function isProvider(children: ReactNode): children is ReactElement<ProviderProps> {
  if (!isValidElement<Record<string, unknown>>(children)) return false;
  const { router } = children.props;
  // A router of TanStack has a state with matches, too, but no list of routes.
  return isRecord(router) && isRecord(router['state']) && Array.isArray(router['routes']);
}

/** The error element of a root route. The first render after an error of a component comes before `onError`. */
function RoutePage({ reporter, router }: PageProps) {
  const last = useContext(LastError);
  const { errors, location } = router.state;
  const [failure] = [
    ...Object.values(errors ?? {}).map((error) => ({ error })),
    ...(last?.key === location.key ? [last] : []),
  ];
  if (failure === undefined) return <FailedPage error={failure} />;
  return <ErrorPage key={location.key} reporter={reporter} error={failure.error} />;
}

function hasOwnPage({ errorElement, ErrorBoundary }: Route): boolean {
  if (isValidElement(errorElement) && errorElement.type === RoutePage) return false;
  return Boolean(errorElement ?? ErrorBoundary);
}

function givePage(routes: readonly Route[], page: ReactElement): void {
  for (const route of routes) if (!hasOwnPage(route)) route.errorElement = page;
}

function WatchedProvider({
  reporter,
  provider,
}: {
  readonly reporter: Reporter;
  readonly provider: ReactElement<ProviderProps>;
}) {
  const { router, onError: ownOnError } = provider.props;
  const [last, setLast] = useState<{ readonly error: unknown; readonly key: string } | null>(null);
  const onError = useMemo<OnError>(() => {
    givePage(router.routes, <RoutePage reporter={reporter} router={router} />);
    return (error, info) => {
      ownOnError?.(error, info);
      const { location, matches } = router.state;
      setLast({ error, key: location.key });
      const isOwn = matches.some(({ route }) => hasOwnPage(route));
      const { componentStack } = info.errorInfo ?? {};
      reportCaught(reporter, error, { source: isOwn ? 'caught' : 'boundary', componentStack });
    };
  }, [router, reporter, ownOnError]);
  return <LastError.Provider value={last}>{cloneElement(provider, { onError })}</LastError.Provider>;
}

/**
 * Passes its children on. A `RouterProvider` of React Router, which catches the errors of components and loaders, would show
 * their stack and report nothing: its root routes get the error page, where they have none, and it gets `onError`.
 */
export function RouterErrors({
  reporter,
  children,
}: {
  readonly reporter: Reporter;
  readonly children: ReactNode;
}) {
  return isProvider(children) ? <WatchedProvider reporter={reporter} provider={children} /> : children;
}

import { CLIENT_ERROR_TEXT } from '@errata/backend/contract/texts.ts';
import type { CaptureSource, Reporter } from '../reporting/reporter.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { reportCaught, reportFailure } from './report-failure.ts';

/** Shows the error text without React, after React unmounted and could not render the boundary either. */
function showBareSentence(container: Element): void {
  const sentence = container.ownerDocument.createElement('h1');
  sentence.textContent = CLIENT_ERROR_TEXT;
  const alert = container.ownerDocument.createElement('div');
  alert.setAttribute('role', 'alert');
  alert.append(sentence);
  const main = container.ownerDocument.createElement('main');
  main.dir = 'ltr';
  main.append(alert);
  container.replaceChildren(main);
}

type Handle = (
  error: unknown,
  info: { readonly componentStack?: string | null | undefined; readonly errorBoundary?: unknown },
) => void;

/** Options of React's createRoot and hydrateRoot; React 18 has the last one only. */
interface RootHandlers {
  readonly onCaughtError: Handle;
  readonly onUncaughtError: Handle;
  readonly onRecoverableError: Handle;
}

/** Returns handlers that report and print the errors of a root, and show the sentence where React has unmounted it. */
export function rootHandlers(reporter: Reporter, container: Element): RootHandlers {
  const reportAs =
    (
      source: CaptureSource,
      report: (...failure: Parameters<typeof reportFailure>) => unknown = reportFailure,
    ): Handle =>
    (error, { componentStack }) =>
      report(reporter, error, { source, componentStack });
  const onCaught = reportAs('caught', reportCaught);
  const onUncaught = reportAs('root');
  return {
    onCaughtError: (error, info) => {
      // It reports and prints the error itself.
      if (!(info.errorBoundary instanceof ErrorBoundary)) onCaught(error, info);
    },
    onUncaughtError: (error, info) => {
      onUncaught(error, info);
      showBareSentence(container);
    },
    onRecoverableError: reportAs('recoverable'),
  };
}

import { Component, type ErrorInfo, type ReactNode } from 'react';
import { serverDigest } from '../reporting/error-digest.ts';
import type { Reporter } from '../reporting/reporter.ts';
import { useDocumentTitle } from '../ui/document-title.ts';
import {
  APPLICATION_ERROR_TITLE,
  ApplicationErrorPage,
  type ApplicationFailure,
} from './application-error-page.tsx';
import { printFailure } from './print-failure.ts';

/** The application-error page inside a living client: titled, and announced. */
function FailedPage({ failure }: { readonly failure: ApplicationFailure }) {
  useDocumentTitle(APPLICATION_ERROR_TITLE);
  return <ApplicationErrorPage failure={failure} inserted />;
}

interface ErrorBoundaryProps {
  readonly reporter: Reporter;
  /** Another value forgets the failure: the page somebody went to deserves its own try. */
  readonly resetKey?: string;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  /** Wrapped, because anything can be thrown, undefined too. */
  readonly failure: { readonly error: unknown } | null;
  readonly resetKey: string | undefined;
}

/**
 * Replaces the page by the application-error page when rendering failed, and keeps that page's promise: the error,
 * its reference and the event id are printed to the browser console.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps(
    props: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): Partial<ErrorBoundaryState> | null {
    return props.resetKey === state.resetKey ? null : { failure: null, resetKey: props.resetKey };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    const eventId = this.props.reporter.capture(error, { source: 'boundary', componentStack });
    printFailure(error, eventId);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    const digest = serverDigest(failure.error);
    return <FailedPage failure={digest === null ? { kind: 'client' } : { kind: 'server', digest }} />;
  }
}

import { Component, type ErrorInfo, type ReactNode } from 'react';
import type { Reporter } from '../reporting/reporter.ts';
import { ErrorPage } from './error-page.tsx';
import { FailedPage } from './failed-page.tsx';
import { isLostFile } from './lost-file.ts';
import { reportFailure } from './report-failure.ts';

interface ErrorBoundaryProps {
  readonly reporter: Reporter;
  /** A changed value resets the boundary: another page must be tried again. */
  readonly resetKey?: string;
  /** Replaces the children in place of the application-error page. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  /** Wrapped, because any value can be thrown, undefined too. */
  readonly failure: { readonly error: unknown } | null;
  /** ID of the event of the failure, null if none is sent; undefined before the report. */
  readonly eventId?: string | null;
  readonly resetKey: string | undefined;
}

/**
 * Replaces the page by the application-error page when rendering fails, and prints the error, its reference and the
 * event ID to the browser console, as the page promises.
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
    // The page of a lost file reports it, if it cannot be loaded again.
    if (isLostFile(error)) return;
    this.setState({
      eventId: reportFailure(this.props.reporter, error, { source: 'boundary', componentStack }),
    });
  }

  override render(): ReactNode {
    const { failure, eventId } = this.state;
    if (failure === null) return this.props.children;
    const { error } = failure;
    return isLostFile(error) ? (
      <ErrorPage reporter={this.props.reporter} error={error} />
    ) : (
      (this.props.fallback ?? <FailedPage error={error} eventId={eventId} />)
    );
  }
}

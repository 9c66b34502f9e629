import { useEffect } from 'react';
import type { Reporter } from '../reporting/reporter.ts';
import { isRecord } from '../reporting/settings.ts';
import { FailedPage } from './failed-page.tsx';
import { MissingPage } from './missing-page.tsx';
import { printFailure } from './print-failure.ts';

/** Returns whether a router found no page: React Router's `ErrorResponse` with 404. */
export function isNotFound(error: unknown): boolean {
  return isRecord(error) && error['status'] === 404 && 'statusText' in error && 'internal' in error;
}

interface ErrorPageProps {
  readonly reporter: Reporter;
  readonly error: unknown;
}

function ReportedPage({ reporter, error }: ErrorPageProps) {
  useEffect(() => printFailure(error, reporter.capture(error, { source: 'boundary' })), [reporter, error]);
  return <FailedPage error={error} />;
}

/** The page for an error that a router has caught: it reports the error, or shows the not-found page for an unknown path. */
export function ErrorPage({ reporter, error }: ErrorPageProps) {
  return isNotFound(error) ? <MissingPage /> : <ReportedPage reporter={reporter} error={error} />;
}

import { useEffect, useState } from 'react';
import type { Reporter } from '../reporting/reporter.ts';
import { FailedPage } from './failed-page.tsx';
import { reportFailure } from './report-failure.ts';

interface ErrorPageProps {
  readonly reporter: Reporter;
  readonly error: unknown;
}

/** The page for an error that a router has caught, which it reports. */
export function ErrorPage({ reporter, error }: ErrorPageProps) {
  const [eventId, setEventId] = useState<string | null>();
  useEffect(
    // A render must not report, and the ID exists with the report.
    // oxlint-disable-next-line react/set-state-in-effect
    () => setEventId(reportFailure(reporter, error, { source: 'boundary' })),
    [reporter, error],
  );
  return <FailedPage error={error} eventId={eventId} />;
}

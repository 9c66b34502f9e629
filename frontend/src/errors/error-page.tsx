import { useEffect, useState } from 'react';
import type { Reporter } from '../reporting/reporter.ts';
import { FailedPage } from './failed-page.tsx';
import { isLostFile, reloadOnce, STAYED_MS } from './lost-file.ts';
import { reportFailure } from './report-failure.ts';

interface ErrorPageProps {
  readonly reporter: Reporter;
  readonly error: unknown;
}

/**
 * The page for an error that a router or the boundary has caught, which it reports. For a lost file it reloads the page first,
 * shows and reports nothing, and says so only if the page is still there.
 */
export function ErrorPage({ reporter, error }: ErrorPageProps) {
  const [isReloading, setIsReloading] = useState(() => isLostFile(error) && reloadOnce(globalThis));
  const [eventId, setEventId] = useState<string | null>();
  useEffect(() => {
    if (!isReloading) {
      // A render must not report, and the ID exists with the report.
      // oxlint-disable-next-line react/set-state-in-effect
      setEventId(reportFailure(reporter, error, { source: 'boundary' }));
      return undefined;
    }
    const stayed = setTimeout(() => setIsReloading(false), STAYED_MS);
    return () => clearTimeout(stayed);
  }, [reporter, error, isReloading]);
  return isReloading ? null : <FailedPage error={error} eventId={eventId} />;
}

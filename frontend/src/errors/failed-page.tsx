import { type ReactNode, useContext } from 'react';
import { serverFailure } from '../reporting/error-digest.ts';
import { thrownResponse } from '../reporting/thrown-response.ts';
import { useBorrowedTitle } from '../ui/document-title.ts';
import {
  APPLICATION_ERROR_TITLE,
  ApplicationErrorPage,
  type ApplicationFailure,
} from './application-error-page.tsx';
import { MissingPage } from './missing-page.tsx';
import { PageHelpContext } from './page-help-context.ts';

interface FailedPageProps {
  readonly error: unknown;
  /** ID of the event that was sent; null if none was, undefined before the report: help comes with the reference. */
  readonly eventId?: string | null | undefined;
}

function BrokenPage(props: { readonly failure: ApplicationFailure; readonly help: ReactNode }) {
  useBorrowedTitle(APPLICATION_ERROR_TITLE);
  return <ApplicationErrorPage {...props} inserted />;
}

/**
 * Shows the application-error page inside the client, with title and announcement; for a response of 4xx that the application or
 * its router has thrown the page that the server has for that status.
 */
export function FailedPage({ error, eventId }: FailedPageProps) {
  const render = useContext(PageHelpContext);
  const helpFor = (failure: ApplicationFailure | null): ReactNode =>
    eventId !== undefined && render?.(failure, eventId);
  const response = thrownResponse(error);
  if (response?.isRefusal === true) {
    const { status, statusText } = response;
    return <MissingPage {...(status !== 404 && { status, statusText })} help={helpFor(null)} />;
  }
  const ofServer = serverFailure(error);
  const failure: ApplicationFailure =
    ofServer === null ? { kind: 'client' } : { kind: 'server', digest: ofServer.digest };
  return <BrokenPage failure={failure} help={helpFor(failure)} />;
}

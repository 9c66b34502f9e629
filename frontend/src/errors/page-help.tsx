import type { HelpSettings } from '@errata/backend/contract/browser-settings.ts';
import {
  HOME_TEXT,
  REFERENCE_LABEL,
  SUPPORT_TEXT,
  supportAddress,
  TRY_AGAIN_TEXT,
} from '@errata/backend/contract/texts.ts';
import { type ReactNode, useContext } from 'react';
import { readHelp, readSettings } from '../reporting/settings.ts';
import type { ApplicationFailure } from './application-error-page.tsx';
import { PageHelpContext, type RenderHelp } from './page-help-context.ts';
import { referenceOf } from './reference.ts';

interface HelpProps {
  readonly help: HelpSettings;
  readonly failure: ApplicationFailure;
  readonly eventId: string | null;
}

/** The home page is that of the host: a browser loads it again, whatever state the application is in. */
function HomeLink() {
  return <a href={`${readSettings(document)?.basePath ?? ''}/`}>{HOME_TEXT}</a>;
}

/** The digest of a server's failure is on the page already: only another failure has a reference beside it. */
function FailureHelp({ help: { supportUrl }, failure, eventId }: HelpProps) {
  const digest = failure.kind === 'server' ? failure.digest : null;
  const reference = digest === null && eventId !== null ? referenceOf(eventId) : null;
  return (
    <div>
      {reference !== null && (
        <p>
          {REFERENCE_LABEL}: <code>{reference}</code>
        </p>
      )}
      <p>
        <button type="button" onClick={() => window.location.reload()}>
          {TRY_AGAIN_TEXT}
        </button>{' '}
        <HomeLink />{' '}
        {supportUrl !== undefined && (
          <a href={supportAddress(supportUrl, { digest, reference })}>{SUPPORT_TEXT}</a>
        )}
      </p>
    </div>
  );
}

function helpWith(given: HelpSettings | false | undefined): RenderHelp {
  return (failure, eventId) => {
    const help = given ?? readHelp(document);
    if (help === null || help === false) return null;
    if (failure !== null) return <FailureHelp help={help} failure={failure} eventId={eventId} />;
    return (
      <div>
        <p>
          <HomeLink />
        </p>
      </div>
    );
  };
}

/** Gives the error pages among its children help: the given one, else that around it, else that of the page's settings. */
export function PageHelp({
  help,
  children,
}: {
  readonly help: HelpSettings | false | undefined;
  readonly children: ReactNode;
}) {
  const outer = useContext(PageHelpContext);
  const render = help === undefined && outer !== undefined ? outer : helpWith(help);
  return <PageHelpContext.Provider value={render}>{children}</PageHelpContext.Provider>;
}

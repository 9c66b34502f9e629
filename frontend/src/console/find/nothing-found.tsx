import type { FindHint, FindReading } from '@errata/backend/contract/find-api.ts';
import { NoIndex } from '../../ui/no-index.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { IssueList } from '../issue-list.tsx';

interface NothingFoundProps {
  readonly text: string;
  /** How the server understood the text. */
  readonly reading: FindReading;
  /** What the store adds to a search without a result. */
  readonly hint: FindHint | undefined;
}

const NAMES: Readonly<Record<FindReading, string>> = {
  digest: 'error with this digest',
  reference: 'occurrence with this reference',
  event_id: 'event with this id',
  text: 'error with this text',
  nothing: 'digest in this text',
};

/** Tips for what was read as an id: the reasons an id that was once shown can be missing here. */
function IdTips({ oldestKept }: { readonly oldestKept: string | null }) {
  return (
    <ul>
      <li>It may be on its way: a browser that was offline reports when it is back.</li>
      <li>
        It may be older than what is kept here
        {oldestKept !== null && (
          <>
            ; the oldest error kept is of <TimeText time={oldestKept} form="absolute" />
          </>
        )}
        .
      </li>
      <li>
        A symbol may be misread. Case, spaces and hyphens do not matter, and <code>O</code>, <code>I</code>{' '}
        and <code>L</code> are taken for <code>0</code>, <code>1</code> and <code>1</code>.
      </li>
      <li>It may come from another installation.</li>
    </ul>
  );
}

function TextTips() {
  return (
    <ul>
      <li>
        A digest or a reference looks like <code>7KQ4-M2XD</code>; four symbols of it are enough.
      </li>
      <li>An event id is 32 hex digits; the browser console has it under the error page’s sentence.</li>
      <li>
        Search by <code>release:1.4.2</code>, <code>user:ann@example.org</code>, <code>url:/checkout</code> or{' '}
        <code>"part of the message"</code>.
      </li>
    </ul>
  );
}

export function NothingFound({ text, reading, hint }: NothingFoundProps) {
  const isId = reading !== 'text' && reading !== 'nothing';
  return (
    <>
      <NoIndex />
      <Notice icon="empty" title={`No ${NAMES[reading]} here`} urgent>
        <p>
          You asked for <strong>{text}</strong>
        </p>
        {isId ? <IdTips oldestKept={hint?.oldestKept ?? null} /> : <TextTips />}
      </Notice>
      {hint !== undefined && hint.similar.length > 0 && (
        <Section title="Did you mean">
          <IssueList issues={hint.similar} label="Errors whose digest differs in one symbol" />
        </Section>
      )}
    </>
  );
}

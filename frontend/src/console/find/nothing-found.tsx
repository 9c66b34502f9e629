import type { FindAnswer, FindHint, FindReading, LostEvent } from '@errata/backend/contract/find-api.ts';
import type { ReactNode } from 'react';
import { Button } from '../../ui/form/button.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Link } from '../../ui/link.tsx';
import { NoIndex } from '../../ui/no-index.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { IssueList } from '../shared/issue-list.tsx';
import { DELIVERY_PATH } from '../shared/paths.ts';
import { reasonLabel } from '../shared/reason-labels.ts';
import { UnknownWordsNotice } from '../lists/unknown-words-notice.tsx';
import { FindHelp } from './find-help.tsx';
import styles from './find-page.module.css';
import { PossibleReasons } from './possible-reasons.tsx';
import { ReadAs, SearchedNote } from './read-as.tsx';

interface LostEventNoticeProps {
  readonly event: LostEvent;
  readonly onRetry: () => void;
}

const FATES: Readonly<Record<LostEvent['fate'], ReactNode>> = {
  queued: 'This event is accepted and queued for storage.',
  dead_lettered: 'This event arrived but could not be stored. It is a dead letter.',
  expired: 'This event arrived and expired in the queue.',
  dropped: 'This event arrived and was dropped to free space.',
};

/** Shows the state of an event that the spool knows and the store does not have. */
function LostEventNotice({ event: { fate, reason, time }, onRetry }: LostEventNoticeProps) {
  return (
    <>
      <p>
        <strong>{FATES[fate]}</strong>
        {time !== null && (
          <>
            {' '}
            Since <TimeText time={time} form="absolute" />
          </>
        )}
        {reason !== '' && `: ${reasonLabel(reason)}`}.
      </p>
      {fate === 'queued' && <Button onClick={onRetry}>Check again</Button>}
      {fate === 'dead_lettered' && (
        <p>
          <Link to={DELIVERY_PATH}>Send it again on the Delivery page</Link>
        </p>
      )}
    </>
  );
}

/** Readings in the alphabet of Crockford, in which some letters are digits. */
const IN_SYMBOLS: readonly FindReading[] = ['digest', 'reference'];

/** Lists reasons that no counter can show, for a text read as an ID. */
function IdTips({ reading }: { readonly reading: FindReading }) {
  return (
    <Section title="Other reasons">
      <ul className={styles.tips}>
        <li>The browser may be offline. It sends queued errors when it is back online, for up to 7 days.</li>
        {IN_SYMBOLS.includes(reading) && (
          <li>
            A character may be misread. Case, spaces and hyphens are ignored; <code>O</code> is read as{' '}
            <code>0</code>, <code>I</code> and <code>L</code> as <code>1</code>.
          </li>
        )}
        <li>It may belong to another Errata server.</li>
      </ul>
    </Section>
  );
}

/** Says what helps where the sentence of an error page was pasted, which all visitors see alike. */
function SentenceTips({ reading }: { readonly reading: FindReading }) {
  return (
    <p>
      All visitors see this sentence. Ask for{' '}
      {reading === 'client_sentence'
        ? 'the address of the page, the time, the email of the user, or the Reference that the browser’s developer console shows under the error.'
        : 'the digest or the reference below it on the page, or for address, time and email of the user.'}
    </p>
  );
}

function RecentIssues({
  reading,
  issues,
}: {
  readonly reading: FindReading;
  readonly issues: FindHint['recent'];
}) {
  const title = `${reading === 'client_sentence' ? 'Browser' : 'Server'} errors of the last hour`;
  return (
    <Section title={title}>
      {issues.length === 0 ? <p>None.</p> : <IssueList issues={issues} label={title} />}
    </Section>
  );
}

interface NothingFoundProps {
  readonly text: string;
  readonly answer: FindAnswer;
  readonly onRetry: () => void;
}

const TITLES: Readonly<Record<FindReading, string>> = {
  digest: 'No error found for this digest',
  reference: 'No event found for this reference',
  event_id: 'No event found for this ID',
  trace_id: 'No event found for this trace ID',
  request_id: 'No event found for this request ID',
  user: 'No error found for this user',
  url: 'No error found for this URL',
  release: 'No error found for this release',
  environment: 'No error found for this environment',
  server: 'No error found for this server',
  browser: 'No error found for this browser',
  tag: 'No event found for this code',
  client_sentence: 'This sentence names no error',
  server_sentence: 'This sentence names no error',
  text: 'No error found for this text',
  nothing: 'No digest found in this text',
};

const SENTENCES: readonly FindReading[] = ['client_sentence', 'server_sentence'];
const NO_IDS: readonly FindReading[] = ['text', 'nothing', ...SENTENCES];

/** Explains an empty result: how the text was read, and counters for a mistyped digest, retention, a rejection or the queue. */
export function NothingFound({ text, answer, onRetry }: NothingFoundProps) {
  const { reading, hint } = answer;
  const isSentence = SENTENCES.includes(reading);
  const isId = !NO_IDS.includes(reading);
  const lost = hint?.lost ?? null;
  return (
    <>
      <NoIndex />
      <Notice icon="empty" title={TITLES[reading]} urgent>
        <p className={styles.asked}>
          You looked for <strong>{text}</strong>
        </p>
        <ReadAs {...answer} />
        <SearchedNote {...answer} />
        <UnknownWordsNotice words={answer.unknownWords} />
        {isSentence && <SentenceTips reading={reading} />}
        {lost !== null && <LostEventNotice event={lost} onRetry={onRetry} />}
      </Notice>
      {hint !== undefined && isSentence && <RecentIssues reading={reading} issues={hint.recent} />}
      {hint !== undefined && hint.similar.length > 0 && (
        <Section title="Did you mean" remark="differs by one character">
          <IssueList issues={hint.similar} label="Errors whose digest differs by one character" />
        </Section>
      )}
      {hint !== undefined && isId && lost === null && (
        <Section title="Possible reasons">
          <PossibleReasons hint={hint} onRetry={onRetry} />
        </Section>
      )}
      {lost === null && isId && <IdTips reading={reading} />}
      {lost === null && !isSentence && (
        <Section title="What Find reads">
          <FindHelp />
        </Section>
      )}
    </>
  );
}

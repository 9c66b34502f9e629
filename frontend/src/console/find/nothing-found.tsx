import type { FindHint, FindReading } from '@errata/backend/contract/find-api.ts';
import { NoIndex } from '../../ui/no-index.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { IssueList } from '../shared/issue-list.tsx';
import { LostEventNotice } from './lost-event-notice.tsx';
import styles from './nothing-found.module.css';
import { IdTips, TextTips } from './tips.tsx';
import { WhatIsKnown } from './what-is-known.tsx';

interface NothingFoundProps {
  readonly text: string;
  /** How the server understood the text. */
  readonly reading: FindReading;
  /** What the store adds to a search without a result. */
  readonly hint: FindHint | undefined;
  readonly onRetry: () => void;
}

const NAMES: Readonly<Record<FindReading, string>> = {
  digest: 'error with this digest',
  reference: 'occurrence with this reference',
  event_id: 'event with this id',
  text: 'error with this text',
  nothing: 'digest in this text',
};

/** Why there is no answer, from what was counted: a slip of the pen, an age, a refusal, or a way still to go. */
export function NothingFound({ text, reading, hint, onRetry }: NothingFoundProps) {
  const isId = reading !== 'text' && reading !== 'nothing';
  const lost = hint?.lost ?? null;
  return (
    <>
      <NoIndex />
      <Notice icon="empty" title={`No ${NAMES[reading]} here`} urgent>
        <p className={styles.asked}>
          You asked for <strong>{text}</strong>
        </p>
        {lost !== null && <LostEventNotice event={lost} onRetry={onRetry} />}
      </Notice>
      {hint !== undefined && hint.similar.length > 0 && (
        <Section title="Did you mean" remark="one symbol apart from what you typed">
          <IssueList issues={hint.similar} label="Errors whose digest differs in one symbol" />
        </Section>
      )}
      {hint !== undefined && isId && lost === null && (
        <Section title="What is known" remark="counted, not guessed">
          <WhatIsKnown hint={hint} onRetry={onRetry} />
        </Section>
      )}
      {lost === null && (
        <Section title={isId ? 'What else it can be' : 'What can be asked for'}>
          {isId ? <IdTips /> : <TextTips />}
        </Section>
      )}
    </>
  );
}

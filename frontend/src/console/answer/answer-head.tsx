import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/form/copy-button.tsx';
import { counted } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { IssueBadges } from '../shared/issue-badges.tsx';
import { KindLabel } from '../shared/kind-label.tsx';
import { AlsoIn } from './also-in.tsx';
import { AnswerActions } from './answer-actions.tsx';
import styles from './answer-head.module.css';
import { EventHistograms } from './event-histograms.tsx';
import { ReleaseWords } from './release-words.tsx';
import type { Occurrence } from './use-occurrence.ts';

interface AnswerHeadProps {
  readonly issue: IssueAnswer;
  readonly occurrence: Occurrence;
  /** The occurrence the address names, or null. */
  readonly eventId: string | null;
}

function requestOf(event: EventDetail | null | undefined): string | null {
  const method = event?.request?.method ?? null;
  const path = event?.path ?? null;
  return path === null || method === null ? path : `${method} ${path}`;
}

function Counts({ issue }: { readonly issue: IssueAnswer }) {
  return (
    <p className={styles.facts}>
      <strong className={styles.count}>{counted(issue.events, 'occurrence', 'occurrences')}</strong>
      {issue.users > 0 && <strong className={styles.count}>{counted(issue.users, 'user', 'users')}</strong>}
      <span>
        first <TimeText time={issue.firstSeen} />
      </span>
      <span>
        last <TimeText time={issue.lastSeen} />
      </span>
      {issue.regressed !== null && (
        <span>
          came back <TimeText time={issue.regressed} />
        </span>
      )}
    </p>
  );
}

/** What failed, its digest, and how often: the three things somebody on the telephone is told first. */
export function AnswerHead({ issue, occurrence, eventId }: AnswerHeadProps) {
  const { event, isOld } = occurrence;
  const request = requestOf(event);
  return (
    <header className={styles.head}>
      <div className={styles.name}>
        <p className={styles.facts}>
          <span className={styles.copy}>
            <code className={styles.digest}>{issue.digest}</code>
            <CopyButton text={issue.digest} what="digest" words="icon" />
          </span>
          <KindLabel kind={issue.kind} />
          <IssueBadges issue={issue} />
          {event?.environment != null && <Badge>{event.environment}</Badge>}
        </p>
        <h1 className={styles.title}>{issue.title}</h1>
        <p className={styles.facts}>
          {request !== null && <code className={styles.request}>{request}</code>}
          <ReleaseWords issue={issue} />
        </p>
        {issue.alsoIn.length > 0 && (
          <p className={styles.facts}>
            <AlsoIn issue={issue} />
          </p>
        )}
        <Counts issue={issue} />
        <AnswerActions issue={issue} event={isOld ? undefined : event} eventId={eventId} />
      </div>
      <EventHistograms issue={issue} />
    </header>
  );
}

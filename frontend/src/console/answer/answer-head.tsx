import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/form/copy-button.tsx';
import { counted } from '../../ui/format/count.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Link } from '../../ui/link.tsx';
import { IssueBadges } from '../shared/issue-badges.tsx';
import { KindLabel } from '../shared/kind-label.tsx';
import { answerPath, SETUP_PATH } from '../shared/paths.ts';
import { projectName } from '@errata/backend/contract/project-name.ts';
import { answerMarkdown } from './answer-markdown.ts';
import styles from './answer-page.module.css';
import { EventHistograms } from './event-histograms.tsx';
import { StatusControl } from './status-control.tsx';
import type { ShownEvent } from './use-occurrence.ts';
import { WhatChanged } from './what-changed.tsx';

/** Names the project of the issue where several have its digest, and links to the others. */
function OtherProjects({ issue }: { readonly issue: IssueAnswer }) {
  const others = issue.alsoIn.filter(({ project }) => project !== issue.project);
  if (others.length === 0) return null;
  return (
    <p className={styles.facts}>
      <span>in project {projectName(issue.project)}</span>
      {others.map((other) => (
        <span key={`${other.project}/${other.address}`}>
          also in project <Link to={answerPath(other)}>{projectName(other.project)}</Link>
        </span>
      ))}
    </p>
  );
}

/** Links to the events of the same error whose senders have a secret, or to those whose senders have none. */
function OtherSenders({ issue }: { readonly issue: IssueAnswer }) {
  const other = issue.alsoIn.find(({ project }) => project === issue.project);
  if (other === undefined) return null;
  return (
    <p className={styles.facts}>
      <Link to={answerPath(other)}>
        also sent {other.isConfirmed ? 'by a server' : 'with the public key'}:{' '}
        {counted(other.events, 'event', 'events')}
      </Link>
    </p>
  );
}

/** Says that anyone can have sent a server's issue, and where the server gets a key of its own. */
function PublicKey({ issue: { kind, isConfirmed, latest } }: { readonly issue: IssueAnswer }) {
  if (kind !== 'server' || isConfirmed || latest?.provenance.origin !== 'browser') return null;
  return (
    <>
      <Badge tone="warn">public key</Badge>
      <Link to={SETUP_PATH}>Set up the server key</Link>
    </>
  );
}

/** Shows the releases of the issue; a release that is the first one is the first place to look. */
function Releases({ issue: { firstRelease, release } }: { readonly issue: IssueAnswer }) {
  if (release === null) return null;
  if (firstRelease === null) return <span>release {release}</span>;
  if (firstRelease !== release) return <span>{`seen in ${firstRelease} … ${release}`}</span>;
  return (
    <span>
      release {release} <Badge tone="accent">new in this release</Badge>
    </span>
  );
}

interface AnswerActionsProps {
  readonly issue: IssueAnswer;
  /** The event to show; undefined while it loads, null when none is stored. */
  readonly event: EventDetail | null | undefined;
  /** ID of the event in the address, or null. */
  readonly eventId: string | null;
}

/** Actions on the answer: set the status, copy link or Markdown. */
function AnswerActions({ issue, event, eventId }: AnswerActionsProps) {
  const link = new URL(answerPath(issue, eventId), window.location.origin).href;
  return (
    <div className={styles.actions}>
      <StatusControl issue={issue} />
      <CopyButton text={link} what="link" label="full" look="plain" icon="link" />
      <CopyButton
        text={() => answerMarkdown({ issue, event, link })}
        what="Markdown"
        label="full"
        look="plain"
      />
    </div>
  );
}

interface AnswerHeadProps {
  readonly issue: IssueAnswer;
  readonly occurrence: ShownEvent;
  /** ID of the event in the address, or null. */
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
      <strong className={styles.count}>{counted(issue.events, 'event', 'events')}</strong>
      {issue.users > 0 && <strong className={styles.count}>{counted(issue.users, 'user', 'users')}</strong>}
      <span>
        first seen <TimeText time={issue.firstSeen} />
      </span>
      <span>
        last seen <TimeText time={issue.lastSeen} />
      </span>
      {issue.regressed !== null && (
        <span>
          regressed <TimeText time={issue.regressed} />
        </span>
      )}
    </p>
  );
}

/** Shows title, digest and counts first: a caller on the telephone gives these. */
export function AnswerHead({ issue, occurrence, eventId }: AnswerHeadProps) {
  const { event, isOld } = occurrence;
  const request = requestOf(event);
  return (
    <header className={styles.head}>
      <div className={styles.name}>
        <p className={styles.facts}>
          <span className={styles.copy}>
            <code className={styles.headDigest}>{issue.digest}</code>
            <CopyButton text={issue.digest} what="digest" label="icon" />
          </span>
          <KindLabel kind={issue.kind} />
          <IssueBadges issue={issue} />
          <PublicKey issue={issue} />
          {event?.environment != null && <Badge>{event.environment}</Badge>}
        </p>
        <h1 className={styles.title}>{issue.title}</h1>
        <WhatChanged issue={issue} />
        <p className={styles.facts}>
          {request !== null && <code className={styles.request}>{request}</code>}
          <Releases issue={issue} />
        </p>
        <OtherProjects issue={issue} />
        <Counts issue={issue} />
        <OtherSenders issue={issue} />
        <AnswerActions issue={issue} event={isOld ? undefined : event} eventId={eventId} />
      </div>
      <EventHistograms issue={issue} />
    </header>
  );
}

import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { CopyButton } from '../../ui/form/copy-button.tsx';
import { answerPath } from '../shared/paths.ts';
import styles from './answer-actions.module.css';
import { answerMarkdown } from './answer-markdown.ts';
import { StatusControl } from './status-control.tsx';

interface AnswerActionsProps {
  readonly issue: IssueAnswer;
  /** The occurrence to show; undefined as long as it is not here, null when none is kept any more. */
  readonly event: EventDetail | null | undefined;
  /** The occurrence the address names, or null. */
  readonly eventId: string | null;
}

/** What is done with an answer: settle it, or hand it on. */
export function AnswerActions({ issue, event, eventId }: AnswerActionsProps) {
  const link = new URL(answerPath(issue, eventId), window.location.origin).href;
  return (
    <div className={styles.actions}>
      <StatusControl issue={issue} />
      <CopyButton text={link} what="link" words="full" look="plain" icon="link" />
      <CopyButton
        text={() => answerMarkdown({ issue, event, link })}
        what="Markdown"
        words="full"
        look="plain"
      />
    </div>
  );
}

import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { Section } from '../../ui/section.tsx';
import { FeedbackItems } from '../shared/feedback-items.tsx';

/** What people wrote when it happened to them. */
export function Feedback({ issue }: { readonly issue: IssueAnswer }) {
  if (issue.feedback.length === 0) return null;
  return (
    <Section title="What people wrote about it">
      <FeedbackItems entries={issue.feedback} issue={issue} />
    </Section>
  );
}

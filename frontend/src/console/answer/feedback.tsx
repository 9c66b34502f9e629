import type { FeedbackEntry } from '@errata/backend/contract/issues-api.ts';
import { Section } from '../../ui/section.tsx';
import { FeedbackItems } from '../feedback-items.tsx';

interface FeedbackProps {
  readonly entries: readonly FeedbackEntry[];
  readonly digest: string;
}

/** What people wrote when it happened to them. */
export function Feedback({ entries, digest }: FeedbackProps) {
  if (entries.length === 0) return null;
  return (
    <Section title="What people wrote about it">
      <FeedbackItems entries={entries} digest={digest} />
    </Section>
  );
}

import { useFeedback } from '../../api/issues.ts';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FeedbackItems } from '../shared/feedback-items.tsx';
import { ListEnd } from '../shared/list-end.tsx';
import { ProblemNotice } from '../shared/problem-notice.tsx';

/** What people wrote that belongs to no issue: without an event, or with one that never came. */
export function LooseFeedback() {
  const list = useFeedback();
  const { data, error, refetch } = list;
  const entries = data?.pages.flatMap((page) => page.feedback) ?? [];
  if (data === undefined) {
    if (error === null) return <Skeleton label="Loading the feedback" lines={6} />;
    return <ProblemNotice what="The feedback" error={error} onRetry={() => void refetch()} />;
  }
  if (entries.length === 0) {
    return (
      <Notice icon="words" title="No feedback without an event">
        <p>What people write about an error stands on that error’s own page. The rest stands here.</p>
      </Notice>
    );
  }
  return (
    <Section title="Feedback without an event" remark="it speaks of no error that is kept here">
      <FeedbackItems entries={entries} />
      <ListEnd list={list} what="More of it" more="Show more" />
    </Section>
  );
}

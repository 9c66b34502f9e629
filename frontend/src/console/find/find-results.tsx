import { Navigate } from 'react-router';
import { useFind } from '../../api/look-up.ts';
import { counted, formatCount } from '../../ui/counted.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { IssueList } from '../issue-list.tsx';
import { answerPath } from '../paths.ts';
import { ListEnd } from '../list-end.tsx';
import { ProblemNotice } from '../problem-notice.tsx';
import { NothingFound } from './nothing-found.tsx';

/** What a pasted text names: one issue is shown at once, several are offered, none is explained. */
export function FindResults({ text }: { readonly text: string }) {
  const found = useFind(text);
  const { data, error, refetch, hasNextPage } = found;
  const answer = data?.pages[0];
  if (answer === undefined) {
    if (error === null) return <Skeleton label={`Looking for ${text}`} lines={3} />;
    return <ProblemNotice what="What you asked for" error={error} onRetry={() => void refetch()} />;
  }

  const issues = data?.pages.flatMap((page) => page.issues) ?? [];
  const [first, ...others] = issues;
  if (first === undefined) {
    return (
      <NothingFound text={text} reading={answer.reading} hint={answer.hint} onRetry={() => void refetch()} />
    );
  }
  // Replaced, so that the back button leads to where one pasted, not here again.
  if (others.length === 0 && !hasNextPage) {
    return <Navigate replace to={answerPath(first, answer.eventId)} />;
  }
  const title = hasNextPage
    ? `The latest ${formatCount(issues.length)} errors that match`
    : counted(issues.length, 'error matches', 'errors match');
  return (
    <Section title={title}>
      <IssueList issues={issues} label="Matching errors" />
      <ListEnd list={found} what="More of them" more="Show more" />
    </Section>
  );
}

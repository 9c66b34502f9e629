import { Navigate } from 'react-router';
import { useFind } from '../../api/look-up.ts';
import { counted } from '../../ui/counted.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { IssueList } from '../issue-list.tsx';
import { NothingFound } from './nothing-found.tsx';
import { answerPath } from '../paths.ts';
import { ProblemNotice } from '../problem-notice.tsx';

/** What a pasted text names: one issue is shown at once, several are offered, none is explained. */
export function FindResults({ text }: { readonly text: string }) {
  const { data, error, refetch } = useFind(text);
  if (data === undefined && error !== null) {
    return <ProblemNotice what="What you asked for" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton label={`Looking for ${text}`} lines={3} />;

  const [first, ...others] = data.issues;
  if (first === undefined) return <NothingFound text={text} reading={data.reading} hint={data.hint} />;
  // Replaced, so that the back button leads to where one pasted, not here again.
  if (others.length === 0) return <Navigate replace to={answerPath(first, data.eventId)} />;
  return (
    <Section title={counted(data.issues.length, 'error matches', 'errors match')}>
      <IssueList issues={data.issues} label="Matching errors" />
    </Section>
  );
}

import { FIND_FILTERS, type FindAnswer, type ReadText } from '@errata/backend/contract/find-api.ts';
import { Navigate } from 'react-router';
import { useFind } from '../../api/find.ts';
import { Announcement } from '../../ui/announcement.tsx';
import { counted, formatCount } from '../../ui/format/count.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { IssueList } from '../shared/issue-list.tsx';
import { answerPath } from '../shared/paths.ts';
import { ListEnd } from '../shared/list-end.tsx';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { UnknownWordsNotice } from '../lists/unknown-words-notice.tsx';
import { NothingFound } from './nothing-found.tsx';
import { CutNote, ReadAs, SearchedNote } from './read-as.tsx';

function isFilter({ as }: Pick<ReadText, 'as'>): boolean {
  return FIND_FILTERS.some((filter) => filter === as);
}

/** The facts of an issue are those of many events: each filter may hold for another one. */
function withoutMatch({ readings }: FindAnswer): string {
  return readings.filter(isFilter).length > 1
    ? 'no event that was searched matches all filters'
    : 'the matching event is not among those searched';
}

interface FoundProps {
  readonly text: string;
  readonly found: ReturnType<typeof useFind>;
}

function titleOf({ data, hasNextPage }: FoundProps['found']): string {
  const count = data?.pages.reduce((sum, { issues }) => sum + issues.length, 0) ?? 0;
  return hasNextPage
    ? `The first ${formatCount(count)} errors that match`
    : counted(count, 'error matches', 'errors match');
}

function Found({ text, found }: FoundProps) {
  const { data, error, refetch, hasNextPage } = found;
  const answer = data?.pages[0];
  if (answer === undefined) {
    if (error === null) return <Skeleton label={`Finding ${text}`} lines={3} />;
    return <ProblemNotice what="Find" error={error} onRetry={() => void refetch()} />;
  }

  const issues = data?.pages.flatMap((page) => page.issues) ?? [];
  const [first, ...others] = issues;
  if (first === undefined) {
    return <NothingFound text={text} answer={answer} onRetry={() => void refetch()} />;
  }
  // An issue has events of many users, places and releases: its newest one is likely of another.
  const isOfEvent = isFilter({ as: answer.reading });
  const isSingle = others.length === 0 && !hasNextPage;
  // Replaces the history entry, so that the back button leads to the find box, not here again.
  if (isSingle && (!isOfEvent || first.match !== null)) {
    return <Navigate replace to={answerPath(first, answer.eventId ?? first.match?.eventId)} />;
  }
  return (
    <Section title={titleOf(found)}>
      <ReadAs {...answer} />
      <SearchedNote {...answer} />
      <CutNote {...answer} />
      <UnknownWordsNotice words={answer.unknownWords} />
      <IssueList
        issues={issues}
        label="Matching errors"
        withoutMatch={isOfEvent ? withoutMatch(answer) : undefined}
      />
      <ListEnd list={found} what="More results" more="Show more" />
    </Section>
  );
}

/** Shows the results for a pasted text: opens a single issue, lists several, explains none. */
export function FindResults({ text }: { readonly text: string }) {
  const found = useFind(text);
  return (
    <>
      <Announcement text={found.data === undefined ? '' : titleOf(found)} />
      <Found text={text} found={found} />
    </>
  );
}

import type { IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { Badge } from '../../ui/badge.tsx';

type IssueState = Pick<IssueSummary, 'status' | 'resolvedIn' | 'regressed'>;

/** What is to be done about an issue: a picture, a word, a colour. An open one is the rule and says nothing. */
export function IssueBadges({ issue }: { readonly issue: IssueState }) {
  if (issue.status === 'resolved') {
    return (
      <Badge tone="good" icon="done">
        {issue.resolvedIn === null ? 'resolved' : `resolved in ${issue.resolvedIn}`}
      </Badge>
    );
  }
  if (issue.status === 'ignored') return <Badge icon="muted">ignored</Badge>;
  if (issue.regressed === null) return null;
  return (
    <Badge tone="bad" icon="back">
      regressed
    </Badge>
  );
}

import type { IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { Badge } from '../../ui/badge.tsx';

type IssueState = Pick<IssueSummary, 'status' | 'resolvedIn' | 'regressed'>;

/** Shows the status of an issue as icon, word and colour. An open issue has no badge. */
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

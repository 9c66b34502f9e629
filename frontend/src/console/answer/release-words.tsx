import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { Badge } from '../../ui/badge.tsx';

/** The releases it was seen in; one that never had it before is the first place to look. */
export function ReleaseWords({ issue: { firstRelease, release } }: { readonly issue: IssueAnswer }) {
  if (release === null) return null;
  if (firstRelease === null) return <span>release {release}</span>;
  if (firstRelease !== release) return <span>{`releases ${firstRelease} – ${release}`}</span>;
  return (
    <span>
      release {release} <Badge tone="accent">new in this release</Badge>
    </span>
  );
}

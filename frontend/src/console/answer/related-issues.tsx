import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { Section } from '../../ui/section.tsx';
import { IssueList } from '../shared/issue-list.tsx';

/** The other half of the failure: what the server did behind a browser's error, or what the browser made of it. */
export function RelatedIssues({ issue }: { readonly issue: IssueAnswer }) {
  const title = issue.kind === 'browser' ? 'Behind it, on the server' : 'What the browser saw of it';
  return (
    <Section title={title}>
      <IssueList issues={issue.related} label={title} />
    </Section>
  );
}

import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { Link } from 'react-router';
import { answerPath } from '../shared/paths.ts';
import { projectName } from '../shared/project-name.ts';

/** Whose issue it is where the digest alone does not tell, and the way to those of the other projects. */
export function AlsoIn({ issue }: { readonly issue: IssueAnswer }) {
  return (
    <>
      <span>in project {projectName(issue.project)}</span>
      {issue.alsoIn.map((other) => (
        <span key={`${other.project}/${other.digest}`}>
          also in project <Link to={answerPath(other)}>{projectName(other.project)}</Link>
        </span>
      ))}
    </>
  );
}

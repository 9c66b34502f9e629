import { ApiError } from '../../api/api-error.ts';
import { Button } from '../../ui/form/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';

interface ProblemNoticeProps {
  /** Subject of the sentence: "The recent errors". */
  readonly what: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Shows a failed request: the server's detail, and its digest if the server failed. */
export function ProblemNotice({ what, error, onRetry }: ProblemNoticeProps) {
  const problem = error instanceof ApiError ? error.problem : null;
  return (
    <Notice icon="alert" title={`${what} could not be loaded`} urgent>
      {problem === null ? (
        <p>Server unreachable. Check the connection and try again.</p>
      ) : (
        <p>
          {problem.detail ?? problem.title} (status {problem.status})
        </p>
      )}
      {problem?.digest !== undefined && (
        <Facts
          facts={[
            ['Digest', <code key="digest">{problem.digest}</code>],
            [
              'Reference',
              problem.reference === undefined ? null : <code key="reference">{problem.reference}</code>,
            ],
          ]}
        />
      )}
      <Button onClick={onRetry}>Try again</Button>
    </Notice>
  );
}

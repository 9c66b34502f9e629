import { ApiError } from '../../api/api-error.ts';
import { Button } from '../../ui/form/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';

interface ProblemNoticeProps {
  /** What could not be shown, as the start of a sentence: "The recent errors". */
  readonly what: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

/** A failed request in words: what happened, the server's own detail, and its digest if it was the server's fault. */
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

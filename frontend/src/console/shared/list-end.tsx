import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../ui/form/button.tsx';
import { ProblemNotice } from './problem-notice.tsx';

interface ListEndProps {
  readonly list: Pick<
    UseInfiniteQueryResult,
    | 'data'
    | 'error'
    | 'refetch'
    | 'hasNextPage'
    | 'isFetchingNextPage'
    | 'isFetchNextPageError'
    | 'fetchNextPage'
  >;
  /** What could not be loaded, as a sentence begins with it. */
  readonly what: string;
  readonly more: 'Show more' | 'Show older';
  /** Stands here until the first page is there. */
  readonly children?: ReactNode;
}

/** What stands below a list that is read page by page: why it ends here, that it is on its way, or the way on. */
export function ListEnd({ list, what, more, children }: ListEndProps) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  return (
    <>
      {error !== null && (
        <ProblemNotice
          what={what}
          error={error}
          onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())}
        />
      )}
      {data === undefined && error === null && children}
      {hasNextPage && (
        <div>
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Loading…' : more}
          </Button>
        </div>
      )}
    </>
  );
}

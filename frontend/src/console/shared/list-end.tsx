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
  /** Subject of the error sentence: "The dead letters". */
  readonly what: string;
  readonly more: 'Show more' | 'Show older' | 'Search older';
  /** Shown until the first page is loaded. */
  readonly children?: ReactNode;
}

/** The end of a paged list: an error, the loading state, or a button for the next page. */
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

import { Skeleton } from '../ui/skeleton.tsx';

/** While a page's chunk is on its way. */
export function LoadingPage() {
  return (
    <main>
      <Skeleton label="Loading the page" lines={5} />
    </main>
  );
}

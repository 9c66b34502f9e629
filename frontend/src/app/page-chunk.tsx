import { type ComponentType, use, useReducer } from 'react';
import { useOutletContext } from 'react-router';
import type { LostPageProps } from '../console/shell/lost-page.tsx';
import { isLostFile, reloadOnce } from '../errors/lost-file.ts';
import { reportFailure } from '../errors/report-failure.ts';
import type { Reporter } from '../reporting/reporter.ts';

/** Props of every page of the route table. */
export interface PageProps {
  readonly hasDemo: boolean;
  readonly reporter: Reporter;
}

/** A component with a chunk of its own. */
export interface Chunk {
  readonly page: ComponentType<PageProps>;
  /** Resolves when it is loaded, or lost. */
  readonly load: () => Promise<unknown>;
}

/**
 * Makes a page of a module that is loaded when the page is shown first. If its files are lost, the frame's own page stands in
 * for it, which asks for them again; the frame itself fails.
 */
export function chunkOf(importPage: () => Promise<ComponentType<PageProps>>): Chunk {
  let loaded: ComponentType<PageProps> | undefined;
  let loading: Promise<typeof loaded> | undefined;
  let lost: unknown;
  const load = () =>
    (loading ??= importPage().then(
      (page) => (loaded = page),
      (error) => {
        if (!isLostFile(error)) throw error;
        lost = error;
        return undefined;
      },
    ));

  function PageOfChunk(props: PageProps) {
    const [, show] = useReducer((count: number) => count + 1, 0);
    const LostPage = useOutletContext<ComponentType<LostPageProps> | undefined>();
    // Without waiting where it is there: React shows a placeholder for at least 300 ms.
    const Page = loaded ?? use(load());
    if (Page !== undefined) return <Page {...props} />;
    if (LostPage === undefined) throw lost;

    const retry = async () => {
      loading = undefined;
      // The page throws the error of a module.
      const isThere = await load().then(
        (page) => page !== undefined,
        () => true,
      );
      if (isThere) show();
      return isThere;
    };
    const onGone = () => {
      const isReloading = reloadOnce(window);
      if (!isReloading) reportFailure(props.reporter, lost, { source: 'boundary' });
      return isReloading;
    };
    return <LostPage retry={retry} onGone={onGone} />;
  }
  return { page: PageOfChunk, load };
}

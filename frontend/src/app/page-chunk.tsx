import { type ComponentType, createElement, type ReactNode, use, useReducer } from 'react';
import { useLocation, useOutletContext } from 'react-router';
import type { RenderLostPage } from '../console/shell/lost-page.tsx';
import { ErrorBoundary } from '../errors/error-boundary.tsx';
import { reloadOnce } from '../errors/lost-file.ts';
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
  /** Resolves when it is loaded, or lost; never rejects. */
  readonly load: () => Promise<unknown>;
}

/** Renders the frame's own page; null for the frame itself. */
const useLostPage = () => useOutletContext<RenderLostPage | null>();

/** Shows a page, in the frame with a boundary of its own: the frame stays where the page cannot be rendered. */
function PageBoundary({ reporter, children }: { readonly reporter: Reporter; readonly children: ReactNode }) {
  const { key } = useLocation();
  const renderLostPage = useLostPage();
  if (renderLostPage === null) return children;
  return (
    <ErrorBoundary reporter={reporter} resetKey={key} fallback={renderLostPage()}>
      {children}
    </ErrorBoundary>
  );
}

/**
 * Makes a page of a module that is loaded when the page is shown first. If its import fails for any reason, the
 * frame's own page stands in for it, which asks for it again. The frame itself fails.
 */
export function chunkOf(importPage: () => Promise<ComponentType<PageProps>>): Chunk {
  let loaded: ComponentType<PageProps> | undefined;
  let loading: Promise<typeof loaded> | undefined;
  let lost: unknown;
  const load = () =>
    (loading ??= importPage().then(
      (page) => (loaded = page),
      (error) => {
        lost = error;
        return undefined;
      },
    ));

  function PageOfChunk(props: PageProps) {
    const [, show] = useReducer((count: number) => count + 1, 0);
    const renderLostPage = useLostPage();
    // Without waiting where it is there: React shows a placeholder for at least 300 ms.
    const Page = loaded ?? use(load());
    if (Page !== undefined) {
      return <PageBoundary reporter={props.reporter}>{createElement(Page, props)}</PageBoundary>;
    }
    if (renderLostPage === null) throw lost;

    const retry = async () => {
      loading = undefined;
      const isThere = (await load()) !== undefined;
      if (isThere) show();
      return isThere;
    };
    const onGone = () => {
      const isReloading = reloadOnce(window);
      if (!isReloading) reportFailure(props.reporter, lost, { source: 'boundary' });
      return isReloading;
    };
    return renderLostPage({ retry, onGone });
  }
  return { page: PageOfChunk, load };
}

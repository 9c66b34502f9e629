import type { QueryClient } from '@tanstack/react-query';
import { useParams, useSearchParams, type Params } from 'react-router';
import { prefetchIssue } from '../../api/look-up.ts';
import { Answer } from './answer.tsx';
import { ConsoleFrame } from '../shell/console-frame.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';

/** What an address names: a digest, or what stands for one, and perhaps the project and the occurrence that are meant. */
function namedBy({ digest = '' }: Params, search: URLSearchParams) {
  return { digest, project: search.get('project') || null, eventId: search.get('event') };
}

/** Asks for what the page at this address is about to show. */
export function prefetchAnswer(client: QueryClient, params: Params, search: URLSearchParams): void {
  const { digest, project } = namedBy(params, search);
  prefetchIssue(client, digest, project);
}

/** `/console/e/:digest`: what stands behind a digest. The address also takes an event id or the start of a digest. */
export function AnswerPage() {
  const [search] = useSearchParams();
  const { digest, project, eventId } = namedBy(useParams(), search);

  return (
    <ConsoleFrame title={digest} hasFindBox>
      <SessionGate asked={digest}>
        <Answer key={JSON.stringify([digest, project])} digest={digest} project={project} eventId={eventId} />
      </SessionGate>
    </ConsoleFrame>
  );
}

import { useParams, useSearchParams } from 'react-router';
import { Answer } from './answer.tsx';
import { ConsoleFrame } from '../console-frame.tsx';
import { SessionGate } from '../session-gate.tsx';

/** `/console/e/:digest`: what stands behind a digest. The address also takes an event id or the start of a digest. */
export function AnswerPage() {
  const { digest = '' } = useParams();
  const [parameters] = useSearchParams();
  const project = parameters.get('project') || null;

  return (
    <ConsoleFrame title={digest} hasFindBox>
      <SessionGate asked={digest}>
        <Answer
          key={JSON.stringify([digest, project])}
          digest={digest}
          project={project}
          eventId={parameters.get('event')}
        />
      </SessionGate>
    </ConsoleFrame>
  );
}

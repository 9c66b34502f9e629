import { useParams, useSearchParams } from 'react-router';
import { Answer } from './answer.tsx';
import { ConsoleFrame } from '../console-frame.tsx';
import { SessionGate } from '../session-gate.tsx';

/** `/console/e/:digest`: what stands behind a digest. The address also takes an event id or the start of a digest. */
export function AnswerPage() {
  const { digest = '' } = useParams();
  const [parameters] = useSearchParams();

  return (
    <ConsoleFrame title={digest} hasFindBox>
      <SessionGate asked={digest}>
        <Answer key={digest} digest={digest} eventId={parameters.get('event')} />
      </SessionGate>
    </ConsoleFrame>
  );
}

import { ConsoleFrame } from '../shell/console-frame.tsx';
import { LiveView } from './live-view.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';

/** What fails at this moment, as it comes in. */
export function LivePage({ hasDemo }: { readonly hasDemo: boolean }) {
  return (
    <ConsoleFrame title="Live" hasFindBox>
      <SessionGate asked={null}>
        <LiveView hasDemo={hasDemo} />
      </SessionGate>
    </ConsoleFrame>
  );
}

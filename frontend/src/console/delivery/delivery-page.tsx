import { useDelivery } from '../../api/delivery.ts';
import { ConsoleFrame } from '../shell/console-frame.tsx';
import { DeliveryView } from './delivery-view.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';

function Delivery() {
  const { data, failure, dataUpdatedAt, refetch } = useDelivery();
  return <DeliveryView state={data} error={failure} asOfMs={dataUpdatedAt} onRetry={() => void refetch()} />;
}

/** The trust page: what came in, and where each of it is. */
export function DeliveryPage() {
  return (
    <ConsoleFrame title="Delivery" hasFindBox>
      <SessionGate asked={null}>
        <Delivery />
      </SessionGate>
    </ConsoleFrame>
  );
}

import { useState } from 'react';
import { useFailingRequest } from '../api/demo.ts';
import { newEventId } from '../reporting/event-id.ts';

/** The demo's failed request: the server fails, the browser notices, and both halves carry one digest. */
export function FailedRequestPage() {
  const [id] = useState(newEventId);
  useFailingRequest(id);
  return <main aria-busy="true" />;
}

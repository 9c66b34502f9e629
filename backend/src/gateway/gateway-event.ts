import { writeEnvelope } from '../envelope/write-envelope.ts';
import { digestTags } from '../reporting/append-own.ts';
import type { GatewayFault } from './gateway-fault.ts';
import type { GatewayRequest } from './gateway-request.ts';

/** A page of a gateway, which is an event. */
export interface PageEvent {
  readonly eventId: string;
  readonly timeMs: number;
  readonly fault: GatewayFault;
  readonly status: number;
  readonly service: string;
  readonly requestId: string;
  readonly request: GatewayRequest;
}

/** Project and environment of the events. */
export interface EventProject {
  /** Canonical DSN. */
  readonly project: string;
  readonly environment: string;
}

/**
 * Returns the envelope of a page. It has no exception: the one of the backend, where it has reported the same request, comes
 * before it. Brief events keep all tags and the trace.
 */
export function pageEnvelope(page: PageEvent, { project, environment }: EventProject): Buffer {
  const { eventId, timeMs, fault, status, service, requestId, request } = page;
  const { method, path, traceId, tags } = request;
  const event = {
    event_id: eventId,
    timestamp: timeMs / 1_000,
    platform: 'other',
    level: 'error',
    logger: 'gateway',
    environment,
    message: fault.title,
    request: { ...(method !== null && { method }), ...(path !== null && { url: path }) },
    tags: {
      ...digestTags(fault.digest),
      service,
      status: String(status),
      request_id: requestId,
      ...tags,
    },
    ...(traceId !== null && { contexts: { trace: { trace_id: traceId } } }),
  };
  return writeEnvelope(project, eventId, [{ type: 'event', payload: Buffer.from(JSON.stringify(event)) }]);
}

import type { EnvelopeRow } from '../protocol/packed-envelopes.ts';
import { NO_SENDER, traitsOf } from '../../sink/queued-envelope.ts';
import type { PendingClientReports } from './pending-client-reports.ts';

/**
 * Builds the envelope that reports a project's discarded items to its upstream.
 *
 * @see https://develop.sentry.dev/sdk/telemetry/client-reports/
 */
export function reportRow(
  project: string,
  discards: PendingClientReports['discards'],
  nowMs: number,
): Omit<EnvelopeRow, 'id'> {
  const report = { timestamp: nowMs / 1_000, discarded_events: discards };
  const lines = [JSON.stringify({ type: 'client_report' }), JSON.stringify(report)];
  return {
    ...traitsOf(['client_report'], true),
    project,
    source: 'own',
    receivedAtMs: nowMs,
    monotonicAtMs: null,
    eventId: null,
    hasMadeId: false,
    sender: JSON.stringify(NO_SENDER),
    header: Buffer.from('{}'),
    stored: Buffer.from(lines.join('\n')),
    isGzip: false,
    itemsHash: null,
  };
}

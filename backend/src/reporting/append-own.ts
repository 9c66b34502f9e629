import type { createTransport } from '@sentry/nestjs';
import type { Digest } from '../digest/digest.ts';
import { readEnvelopeHeader } from '../envelope/envelope-header.ts';
import { scanItems } from '../envelope/items.ts';
import type { Spool } from '../spool/spool.ts';
import { type EnvelopeSource, NO_SENDER, traitsOf } from '../sink/queued-envelope.ts';

/** Project of the server's own reports. They go through the same spool as all others, so that no outage loses them. */
export interface OwnProject {
  /** Canonical DSN. */
  readonly project: string;
  readonly hasUpstream: boolean;
  readonly source: Extract<EnvelopeSource, 'own' | 'gateway'>;
}

type TransportRequest = Parameters<Parameters<typeof createTransport>[1]>[0];
type TransportResponse = Awaited<ReturnType<Parameters<typeof createTransport>[1]>>;

/** Returns the tags in which a report has the digest that was shown. The store believes them by the source. */
export function digestTags({ shown, key }: Digest): Readonly<Record<string, string>> {
  return { 'errata.digest': shown, 'errata.digest_key': key };
}

/** Appends an envelope that this process has written to the spool. Rejects when the spool cannot commit it. */
export async function appendOwn(
  spool: Pick<Spool, 'append'>,
  own: OwnProject,
  { body }: TransportRequest,
  nowMs: number,
): Promise<TransportResponse> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const read = readEnvelopeHeader(bytes);
  if (read.outcome !== 'ok') return { statusCode: 400 };
  const scan = scanItems(bytes, read.itemsStart);
  if (scan.outcome !== 'ok') return { statusCode: 400 };
  const traits = traitsOf(scan.items, own.hasUpstream);
  if (traits.pending === 0) return { statusCode: 200 };
  await spool.append({
    ...traits,
    project: own.project,
    source: own.source,
    receivedAtMs: nowMs,
    eventId: read.header.eventId,
    hasMadeId: false,
    sender: { ...NO_SENDER, sdk: read.header.sdk },
    header: read.line,
    items: bytes.subarray(read.itemsStart),
  });
  return { statusCode: 200 };
}

import type { createTransport } from '@sentry/nestjs';
import { readEnvelopeHeader } from '../envelope/envelope-header.ts';
import { classOfItems } from '../envelope/envelope-class.ts';
import { scanItems } from '../envelope/items.ts';
import type { Spool } from '../spool/spool.ts';
import { type SenderMeta, sinksOf } from '../spool/spooled-envelope.ts';

/** Where the server's own reports go: the same spool as everybody else's, so that no outage loses them. */
export interface OwnProject {
  /** Canonical DSN. */
  readonly project: string;
  readonly hasUpstream: boolean;
}

const OWN_SENDER: SenderMeta = {
  address: null,
  userAgent: null,
  origin: null,
  referer: null,
  clientHints: {},
};

type Request = Parameters<Parameters<typeof createTransport>[1]>[0];
type Answer = Awaited<ReturnType<Parameters<typeof createTransport>[1]>>;

/** Appends one serialised envelope of the server's Sentry client to the spool. */
export async function appendOwn(
  spool: Spool,
  own: OwnProject,
  { body }: Request,
  nowMs: number,
): Promise<Answer> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const read = readEnvelopeHeader(bytes);
  if (read.outcome !== 'ok') return { statusCode: 400 };
  const scan = scanItems(bytes, read.itemsStart);
  if (scan.outcome !== 'ok') return { statusCode: 400 };
  const types = scan.items.map((item) => item.type);
  const pending = sinksOf(types, own.hasUpstream);
  if (pending === 0) return { statusCode: 200 };
  await spool.append({
    project: own.project,
    source: 'own',
    class: classOfItems(types),
    receivedAtMs: nowMs,
    eventId: read.header.eventId,
    sender: OWN_SENDER,
    header: read.line,
    items: bytes.subarray(read.itemsStart),
    pending,
  });
  return { statusCode: 200 };
}

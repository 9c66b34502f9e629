import { randomUUID } from 'node:crypto';
import { readEnvelopeHeader, type EnvelopeHeader } from '../envelope/envelope-header.ts';
import { classOfItems, createsEvent } from '../envelope/envelope-class.ts';
import { rewriteHeader } from '../envelope/rewrite-header.ts';
import { findOversized } from '../envelope/item-limits.ts';
import { scanItems } from '../envelope/items.ts';
import type { Spool } from '../spool/spool.ts';
import { type NewEnvelope, type SenderMeta, sinksOf } from '../spool/spooled-envelope.ts';
import type { AllowedProject, AllowList } from './allow-list.ts';
import type { TunnelAnswer } from './tunnel-answer.ts';

/**
 * Judges one envelope and commits it. It reads the header line and the items' headers, never an item's payload:
 * what is in there is the sinks' business, later and in another thread. A 200 comes only out of the spool's commit.
 */
export class Intake {
  readonly #allowList: AllowList;
  readonly #spool: Spool;
  readonly #commitTimeoutMs: number;

  constructor(allowList: AllowList, spool: Spool, commitTimeoutMs: number) {
    this.#allowList = allowList;
    this.#spool = spool;
    this.#commitTimeoutMs = commitTimeoutMs;
  }

  async take(body: Buffer, sender: SenderMeta, receivedAtMs: number): Promise<TunnelAnswer> {
    if (body.length === 0) return { outcome: 'malformed', detail: 'empty request body' };
    const read = readEnvelopeHeader(body);
    if (read.outcome !== 'ok') return { outcome: 'malformed', detail: read.detail };
    const allowed = this.#project(read.header);
    if ('outcome' in allowed) return allowed;
    const scan = scanItems(body, read.itemsStart);
    if (scan.outcome !== 'ok') return { outcome: scan.outcome, detail: scan.detail };
    const oversized = findOversized(scan.items);
    if (oversized !== undefined) return { outcome: 'too_large', detail: oversized };
    const types = scan.items.map((item) => item.type);
    const eventId = read.header.eventId ?? (types.some(createsEvent) ? newEventId() : null);
    if (types.length === 0) return { outcome: 'empty', eventId };
    const pending = sinksOf(types, allowed.hasUpstream);
    if (pending === 0) return { outcome: 'no_upstream', eventId };
    return this.#commit({
      project: allowed.project,
      source: 'tunnel',
      class: classOfItems(types),
      receivedAtMs,
      eventId,
      sender,
      header:
        eventId === read.header.eventId || eventId === null
          ? read.line
          : rewriteHeader(read.line, { eventId }),
      items: body.subarray(read.itemsStart),
      pending,
    });
  }

  #project(header: EnvelopeHeader): AllowedProject | TunnelAnswer {
    if (header.dsn === null) return { outcome: 'malformed', detail: 'missing dsn in envelope header' };
    const found = this.#allowList.find(header.dsn);
    if (found === 'malformed') return { outcome: 'malformed', detail: 'invalid dsn in envelope header' };
    if (found === 'not_allowed') return { outcome: 'not_allowed', detail: 'dsn is not allowed here' };
    return found;
  }

  /** The verdict of the spool, or a refusal when it takes too long; a late commit is a duplicate, never a loss. */
  #commit(envelope: NewEnvelope): Promise<TunnelAnswer> {
    const { promise, resolve } = Promise.withResolvers<TunnelAnswer>();
    const refuse = (detail: string): void => resolve({ outcome: 'unavailable', detail });
    const timer = setTimeout(refuse, this.#commitTimeoutMs, 'the envelope could not be stored in time');
    this.#spool
      .append(envelope)
      .then(
        () => resolve({ outcome: 'accepted', eventId: envelope.eventId }),
        () => refuse('the envelope cannot be stored now'),
      )
      .finally(() => clearTimeout(timer));
    return promise;
  }
}

function newEventId(): string {
  return randomUUID().replaceAll('-', '');
}

import type { EventDelivery, Provenance } from '../../contract/event-api.ts';
import { projectName } from '../../contract/project-name.ts';
import type { Relay } from '../../relay/relay.ts';
import type { EventStatus } from '../../spool/protocol/event-status.ts';
import type { Spool } from '../../spool/spool.ts';
import { deadLetterId } from '../delivery/dead-letter-id.ts';
import { isoTime, isoTimeOrNull } from '../../time/iso.ts';

/** A stored event whose delivery is looked up. */
export interface TracedEvent {
  readonly eventId: string;
  /** Canonical DSN. */
  readonly project: string;
  /** ISO 8601, to the millisecond: it locates the envelope in the spool. */
  readonly received: string;
  readonly provenance: Pick<Provenance, 'origin'>;
  /** Identity of the spool that accepted it. */
  readonly spool: number;
}

/** An allowed project. */
interface KnownProject {
  readonly project: string;
  readonly hasUpstream: boolean;
}

const NOTHING_KNOWN = { time: null, tries: null, reason: null, status: null, deadLetterId: null };

/**
 * Finds the delivery status of an event at its upstream.
 *
 * A delivery writes nothing, so the status is a conclusion: the spool deletes an envelope only when every sink has settled
 * it, and records the ids of the errors it lost. An event that came through this spool, is not in it and was not lost, was
 * delivered.
 */
export class DeliveryStatus {
  readonly #spool: Pick<Spool, 'ask' | 'identity'>;
  readonly #relay: Pick<Relay, 'deliveryOf' | 'waitOf'>;
  readonly #localOnly: ReadonlySet<string>;

  constructor(
    spool: Pick<Spool, 'ask' | 'identity'>,
    relay: Pick<Relay, 'deliveryOf' | 'waitOf'>,
    projects: readonly KnownProject[],
  ) {
    this.#spool = spool;
    this.#relay = relay;
    this.#localOnly = new Set(
      projects.filter(({ hasUpstream }) => !hasUpstream).map(({ project }) => project),
    );
  }

  async of(event: TracedEvent): Promise<EventDelivery> {
    const { eventId, project, provenance } = event;
    if (provenance.origin === 'gateway' || this.#localOnly.has(project))
      return { state: 'stored_only', ...NOTHING_KNOWN, upstream: null };
    const upstream = projectName(project);
    const delivered = this.#relay.deliveryOf(project, eventId);
    if (delivered !== null) {
      const { atMs, tries } = delivered;
      return { state: 'delivered', ...NOTHING_KNOWN, time: isoTime(atMs), tries, upstream };
    }
    const trace = await this.#trace(event);
    if (trace === null) return { state: 'unknown', ...NOTHING_KNOWN, upstream };
    return { ...this.#conclude(event, trace), upstream };
  }

  #conclude(
    event: TracedEvent,
    { queuedId, deadLetter, lost }: EventStatus,
  ): Omit<EventDelivery, 'upstream'> {
    if (queuedId !== null) return this.#queued(event, queuedId);
    if (deadLetter !== null) {
      const { id, reason, status, deadLetteredAtMs } = deadLetter;
      return {
        state: 'dead_lettered',
        time: isoTimeOrNull(deadLetteredAtMs),
        tries: null,
        reason,
        status,
        deadLetterId: deadLetterId(id, this.#spool.identity),
      };
    }
    if (lost !== null) {
      const { fate, reason, status, atMs } = lost;
      return { state: fate, ...NOTHING_KNOWN, time: isoTimeOrNull(atMs), reason, status };
    }
    return { state: event.spool === this.#spool.identity ? 'delivered' : 'unknown', ...NOTHING_KNOWN };
  }

  #queued({ project, received }: TracedEvent, queuedId: number): Omit<EventDelivery, 'upstream'> {
    const wait = this.#relay.waitOf(project, queuedId);
    const { tries, reason } = wait ?? { tries: null, reason: 'upstream_not_in_settings' };
    return { state: 'queued', ...NOTHING_KNOWN, time: received, tries, reason };
  }

  /** Returns the spool's records of an event; null while the spool is unavailable. */
  async #trace({ eventId, project, received }: TracedEvent): Promise<EventStatus | null> {
    try {
      return await this.#spool.ask('trace', { eventId, project, receivedAtMs: Date.parse(received) });
    } catch {
      return null;
    }
  }
}

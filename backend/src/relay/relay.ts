/**
 * Delivers the spool's envelopes to their sinks: the upstream of their DSN and the store. Each sink has a dispatcher with
 * its own queue and circuit breaker, so that no sink slows down another one; one flow control shares the cores between them.
 *
 * This folder must never delete an envelope that one of its sinks has not settled, and never send one to a URL that is
 * not in the allow-list.
 */

import type { SinkState } from '../contract/delivery-api.ts';
import type { SettledBits, SpoolListener } from '../spool/spool-listeners.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import { Dispatcher } from './dispatcher.ts';
import type { DispatcherOptions, RelayContext } from './dispatcher-options.ts';
import type { SinkHealth } from './circuit-breaker.ts';
import type { DeliveredEvent } from './delivered-events.ts';
import { DeliveryStats } from './delivery-stats.ts';
import { FlowControl } from './flow-control.ts';
import { UPSTREAM_BIT } from '../sink/queued-envelope.ts';

/** A sink, its health and its last delivery, for operators. */
export interface SinkReport extends SinkHealth {
  readonly name: string;
  /** Host, port if any, and project of an upstream; null for the store. */
  readonly place: string | null;
  /** Start of the key of an upstream; null for the store. */
  readonly key: string | null;
  /** Canonical DSN of an upstream; null for the store. */
  readonly project: string | null;
  readonly lastDeliveredMs: number | null;
  /** Whether an envelope waits for it, or is in flight to it. */
  readonly isWaiting: boolean;
  /** Whether an envelope waits for the end of a rate limit. */
  readonly isLimited: boolean;
}

interface SinkParts {
  readonly options: DispatcherOptions;
  readonly dispatcher: Dispatcher;
  readonly stats: DeliveryStats;
}

/** Runs one dispatcher for each sink and reports their states and deliveries. */
export class Relay implements SpoolListener {
  readonly #sinks: readonly SinkParts[];
  readonly #context: RelayContext;

  constructor(sinks: readonly DispatcherOptions[], context: RelayContext) {
    const flow = new FlowControl(context.spool, context.time);
    this.#sinks = sinks.map((options) => {
      const stats = new DeliveryStats(context.metrics, options);
      return { options, dispatcher: new Dispatcher(options, { ...context, flow }, stats), stats };
    });
    this.#context = context;
  }

  start(): void {
    this.#context.spool.attach(this);
    for (const { dispatcher } of this.#sinks) dispatcher.start();
  }

  /** A limit of one project would else slow down the intake of all: what it holds does not leave. */
  get canEmpty(): boolean {
    return this.#sinks.every(({ dispatcher }) => dispatcher.isAccepting);
  }

  committed(fresh: readonly QueuedEnvelope[], settled: readonly SettledBits[]): void {
    for (const { dispatcher } of this.#sinks) dispatcher.committed(fresh, settled);
  }

  /** Removes erased envelopes from all queues. Deliveries in flight cannot be recalled. */
  forget(ids: readonly number[]): void {
    const erased = new Set(ids);
    for (const { dispatcher } of this.#sinks) dispatcher.forget(erased);
  }

  advanced(lastId: number): void {
    for (const { dispatcher } of this.#sinks) dispatcher.advanced(lastId);
  }

  /** Returns whether all sinks of a project accept envelopes at present. */
  isFlowing(project: string): boolean {
    return this.#sinks.every(
      ({ options, dispatcher }) =>
        (options.project !== null && options.project !== project) || dispatcher.state === 'flowing',
    );
  }

  /** Returns the projects whose sink of this bit accepts envelopes at present. */
  reachable(bit: number): readonly string[] {
    return this.#sinks
      .filter(({ options, dispatcher }) => options.bit === bit && dispatcher.state === 'flowing')
      .flatMap(({ options: { project } }) => (project === null ? [] : [project]));
  }

  /** Returns the state of each sink by its name. */
  states(): Readonly<Record<string, SinkState>> {
    return Object.fromEntries(this.#sinks.map(({ options, dispatcher }) => [options.name, dispatcher.state]));
  }

  /** Returns by the name of each upstream how many envelopes may be in flight to it at present. */
  windows(): Readonly<Record<string, number>> {
    const upstreams = this.#sinks.filter(({ options }) => options.isAdaptive);
    return Object.fromEntries(upstreams.map(({ options, dispatcher }) => [options.name, dispatcher.window]));
  }

  sinks(): readonly SinkReport[] {
    return this.#sinks.map(({ options: { name, place, key, project }, dispatcher, stats }) => ({
      name,
      place,
      key,
      project,
      lastDeliveredMs: stats.lastDeliveredMs,
      ...dispatcher.health,
    }));
  }

  /** Tries each sink that fails at once. Rate limits of upstreams stay. Returns the number of these sinks. */
  retryNow(): number {
    return this.#sinks.filter(({ dispatcher }) => dispatcher.retryNow()).length;
  }

  /** Returns the delivery of an event to its project's upstream; null if it is unknown. */
  deliveryOf(project: string, eventId: string): DeliveredEvent | null {
    return this.#upstream(project)?.stats.deliveryOf(eventId) ?? null;
  }

  /** Returns the failed tries of an envelope that waits for its project's upstream; null for an unknown upstream. */
  waitOf(project: string, id: number): { readonly tries: number; readonly reason: string | null } | null {
    const upstream = this.#upstream(project);
    if (upstream === undefined) return null;
    const { dispatcher, stats } = upstream;
    const failed = stats.failureOf(id);
    const ofSink = dispatcher.state === 'flowing' ? null : dispatcher.health.reason;
    return { tries: failed?.tries ?? 0, reason: ofSink ?? failed?.reason ?? null };
  }

  /** Tries sinks that fail once more, and waits until no sink has anything left to send at present. */
  async caughtUp(): Promise<void> {
    this.retryNow();
    await Promise.all(this.#sinks.map(({ dispatcher }) => dispatcher.caughtUp()));
  }

  /** Starts no more deliveries and waits for those in flight, at most `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    await Promise.all(this.#sinks.map(({ dispatcher }) => dispatcher.stop(timeoutMs)));
  }

  #upstream(project: string): SinkParts | undefined {
    return this.#sinks.find(({ options }) => options.bit === UPSTREAM_BIT && options.project === project);
  }
}

import type { SpoolReader } from '../spool/spool-listeners.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import { Dispatcher } from './dispatcher.ts';
import type { DispatcherContext, DispatcherOptions } from './dispatcher-options.ts';
import type { DispatcherState } from './circuit-breaker.ts';
import type { DeliveredEvent } from './delivered-events.ts';
import { DeliveryCounters } from './delivery-counters.ts';
import { DeliveryStats } from './delivery-stats.ts';
import { UPSTREAM_BIT } from '../sink/queued-envelope.ts';

/** A sink as people look after it. */
export interface SinkReport {
  readonly name: string;
  /** Of an upstream; null for the store. */
  readonly project: string | null;
  readonly state: DispatcherState;
  /** Why it does not flow: `dsn_refused`, `timeout`, `status_503`, …; null while it does. */
  readonly reason: string | null;
  readonly lastDeliveredMs: number | null;
}

/**
 * Brings what the spool holds to its sinks, each at its own speed, through outages and restarts. It must never
 * let go of an envelope that a sink has not settled.
 */
export class Relay implements SpoolReader {
  readonly #lanes: readonly (readonly [DispatcherOptions, Dispatcher, DeliveryStats])[];
  readonly #context: DispatcherContext;

  constructor(lanes: readonly DispatcherOptions[], context: DispatcherContext) {
    this.#lanes = lanes.map((options) => {
      const record = new DeliveryStats(new DeliveryCounters(context.metrics, options.name), options.bit);
      return [options, new Dispatcher(options, context, record), record];
    });
    this.#context = context;
  }

  start(): void {
    this.#context.spool.attach(this);
    for (const [, lane] of this.#lanes) lane.start();
  }

  appended(envelopes: readonly QueuedEnvelope[]): void {
    for (const [, lane] of this.#lanes) lane.appended(envelopes);
  }

  settled(done: readonly { readonly id: number; readonly bits: number }[]): void {
    for (const [, lane] of this.#lanes) lane.settled(done);
  }

  /** These envelopes were erased: those that wait here go nowhere. What is on its way cannot be called back. */
  forget(ids: readonly number[]): void {
    const erased = new Set(ids);
    for (const [, lane] of this.#lanes) lane.forget(erased);
  }

  grown(lastId: number): void {
    for (const [, lane] of this.#lanes) lane.grown(lastId);
  }

  /** Projects whose sink of this bit takes envelopes now. */
  flowing(bit: number): readonly string[] {
    return this.#lanes
      .filter(([options, lane]) => options.bit === bit && lane.state === 'flowing')
      .flatMap(([{ project }]) => (project === null ? [] : [project]));
  }

  /** State of each sink by its name. */
  states(): Readonly<Record<string, DispatcherState>> {
    return Object.fromEntries(this.#lanes.map(([{ name }, lane]) => [name, lane.state]));
  }

  sinks(): readonly SinkReport[] {
    return this.#lanes.map(([{ name, project }, { state }, record]) => ({
      name,
      project,
      state,
      reason: reasonOf(state, record),
      lastDeliveredMs: record.lastDeliveredMs,
    }));
  }

  /** When the upstream of a project took an event; null where that is not remembered. */
  deliveryOf(project: string, eventId: string): DeliveredEvent | null {
    const [, , record] = this.#upstream(project) ?? [];
    return record?.deliveryOf(eventId) ?? null;
  }

  /** How an envelope fares that waits for its project's upstream; null where that is not in the settings. */
  waitOf(project: string, id: number): { readonly tries: number; readonly reason: string | null } | null {
    const [, lane, record] = this.#upstream(project) ?? [];
    if (lane === undefined || record === undefined) return null;
    const failed = record.failureOf(id);
    return { tries: failed?.tries ?? 0, reason: reasonOf(lane.state, record) ?? failed?.reason ?? null };
  }

  /** Lets deliveries under way end for as long as that may take, starts no more. */
  async stop(timeoutMs: number): Promise<void> {
    await Promise.all(this.#lanes.map(([, lane]) => lane.stop(timeoutMs)));
  }

  #upstream(project: string): readonly [DispatcherOptions, Dispatcher, DeliveryStats] | undefined {
    return this.#lanes.find(([options]) => options.bit === UPSTREAM_BIT && options.project === project);
  }
}

function reasonOf(state: DispatcherState, { lastFailure }: DeliveryStats): string | null {
  if (state === 'flowing') return null;
  return state === 'paused' ? 'dsn_refused' : lastFailure;
}

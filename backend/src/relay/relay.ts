import type { SpoolReader } from '../spool/spool-listeners.ts';
import type { SpooledEnvelope } from '../spool/spooled-envelope.ts';
import { Lane } from './lane.ts';
import type { LaneContext, LaneOptions } from './lane-options.ts';
import type { LaneState } from './lane-health.ts';

/**
 * Brings what the spool holds to its sinks, each at its own speed, through outages and restarts. It must never
 * let go of an envelope that a sink has not settled.
 */
export class Relay implements SpoolReader {
  readonly #lanes: readonly (readonly [LaneOptions, Lane])[];
  readonly #context: LaneContext;

  constructor(lanes: readonly LaneOptions[], context: LaneContext) {
    this.#lanes = lanes.map((options) => [options, new Lane(options, context)]);
    this.#context = context;
  }

  start(): void {
    this.#context.spool.attach(this);
    for (const [, lane] of this.#lanes) lane.start();
  }

  appended(envelopes: readonly SpooledEnvelope[]): void {
    for (const [, lane] of this.#lanes) lane.appended(envelopes);
  }

  settled(done: readonly { readonly id: number; readonly bits: number }[]): void {
    for (const [, lane] of this.#lanes) lane.settled(done);
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
  states(): Readonly<Record<string, LaneState>> {
    return Object.fromEntries(this.#lanes.map(([{ name }, lane]) => [name, lane.state]));
  }

  /** Lets deliveries under way end for as long as that may take, starts no more. */
  async stop(timeoutMs: number): Promise<void> {
    await Promise.all(this.#lanes.map(([, lane]) => lane.stop(timeoutMs)));
  }
}

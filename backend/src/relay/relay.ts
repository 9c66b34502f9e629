import { Lane, type LaneContext, type LaneOptions } from './lane.ts';

/**
 * Brings what the spool holds to its sinks, each at its own speed, through outages and restarts. It must never
 * let go of an envelope that a sink has not settled.
 */
export class Relay {
  readonly #lanes: readonly (readonly [string, Lane])[];
  readonly #context: LaneContext;

  constructor(lanes: readonly LaneOptions[], context: LaneContext) {
    this.#lanes = lanes.map((options) => [options.name, new Lane(options, context)]);
    this.#context = context;
  }

  start(): void {
    this.#context.spool.onAppended(() => {
      for (const [, lane] of this.#lanes) lane.wake();
    });
    for (const [, lane] of this.#lanes) lane.start();
  }

  /** State of each sink by its name. */
  states(): Readonly<Record<string, 'flowing' | 'pausing'>> {
    return Object.fromEntries(this.#lanes.map(([name, lane]) => [name, lane.state]));
  }

  /** Lets deliveries under way end, starts no more. */
  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map(([, lane]) => lane.stop()));
  }
}

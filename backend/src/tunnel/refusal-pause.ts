import type { Client } from '../net/client-address.ts';
import { RecentMap } from '../time/recent-map.ts';
import { REAL_TIME, type StartTimer } from '../time/time-source.ts';
import { UNAVAILABLE_SECONDS } from './response.ts';

/**
 * How long a repeated refusal waits: as long as a commit may take. On one core 3,000 clients that repeat at once then leave
 * the time for 1,280 deliveries a second; with half of the pause 740 to 960, without it 310.
 */
export const REFUSAL_PAUSE_MS = 2_000;

/** Refusals that may wait at once: less than half of the connections of a server, so that others find one. */
const MAX_WAITING = 4_096;

/** Senders that are remembered: as many as a server takes connections. */
const MAX_SENDERS = 10_000;

/**
 * Delays the answer to a client that was refused because the spool is overloaded, and sends again at once.
 *
 * A first refusal is answered at once, one more within `Retry-After` later. Thousands of clients that do not keep to it would
 * otherwise take all of the main thread, and with it the deliveries that make room and the look-ups in the console. A sender is
 * a connection, and behind a trusted proxy, whose connections carry the requests of many, an address.
 */
export class RefusalPause {
  readonly #nowMs: () => number;
  readonly #startTimer: StartTimer;
  readonly #refusedAtMs = new RecentMap<string, number>(MAX_SENDERS);
  #waiting = 0;

  /** @param nowMs monotonic clock. */
  constructor(nowMs = REAL_TIME.nowMs, startTimer = REAL_TIME.startTimer) {
    this.#nowMs = nowMs;
    this.#startTimer = startTimer;
  }

  /** Resolves when a refusal may be sent. @param port of the connection's peer. */
  async before({ address, isForwarded }: Client, port: number | undefined): Promise<void> {
    const sender = isForwarded ? address : `${address} ${port}`;
    const refusedAtMs = this.#refusedAtMs.get(sender) ?? -Infinity;
    const isRepeated = this.#nowMs() - refusedAtMs < UNAVAILABLE_SECONDS * 1_000;
    if (isRepeated && this.#waiting < MAX_WAITING) {
      this.#waiting += 1;
      await new Promise<void>((resolve) => void this.#startTimer(REFUSAL_PAUSE_MS, resolve));
      this.#waiting -= 1;
    }
    this.#refusedAtMs.set(sender, this.#nowMs());
  }
}

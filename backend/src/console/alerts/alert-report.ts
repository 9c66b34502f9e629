import { randomUUID } from 'node:crypto';
import type { AlertChannel } from '../../alerts/alert-channel.ts';
import type { AlertState, AlertTestResult } from '../../contract/alerts-api.ts';
import type { EventStore } from '../../store/event-store.ts';
import { isoTime, isoTimeOrNull } from '../../time/iso.ts';

/** The answer to a test must come within 10 s, also for a receiver that never answers. */
const TEST_TIMEOUT_MS = 8_000;
const TEXT = 'Test: messages of Errata reach this target.';
const NO_LINKS = 'They have no links: ERRATA_PUBLIC_URL is not set.';

/** Reports the targets of alerts, and tests them. It must never return an address. */
export class AlertReport {
  readonly #store: Pick<EventStore, 'ask'>;
  readonly #channels: readonly AlertChannel[];
  readonly #publicUrl: string | null;

  /** @param publicUrl of the console's links; null without one. */
  constructor(store: Pick<EventStore, 'ask'>, channels: readonly AlertChannel[], publicUrl: string | null) {
    this.#store = store;
    this.#channels = channels;
    this.#publicUrl = publicUrl;
  }

  async state(): Promise<AlertState> {
    const ids = this.#channels.map(({ id }) => id);
    const states = await this.#store.ask('alertStates', ids);
    const targets = this.#channels.flatMap(({ id, name, filter }) => {
      const state = states.find((each) => each.id === id);
      if (state === undefined) return [];
      const { waiting, sentMs, failed } = state;
      const failing = failed && {
        since: isoTime(failed.sinceMs),
        attempts: failed.attempts,
        reason: failed.reason,
      };
      return { id, name, filter, waiting, lastSent: isoTimeOrNull(sentMs), failing };
    });
    return { targets, hasLinks: this.#publicUrl !== null };
  }

  /** Returns the channel of a target; undefined for an unknown one. */
  channel(id: string): AlertChannel | undefined {
    return this.#channels.find((channel) => channel.id === id);
  }

  /** Sends a test message at once. */
  async test(channel: AlertChannel): Promise<AlertTestResult> {
    const link = this.#publicUrl === null ? null : `${this.#publicUrl}/console/delivery`;
    const text = link === null ? `${TEXT} ${NO_LINKS}` : TEXT;
    const body = { type: 'test', timestamp: isoTime(Date.now()), data: { text, link } } as const;
    const outcome = await channel.send({ deliveryId: randomUUID(), body, attempts: 1 }, TEST_TIMEOUT_MS);
    const { isAccepted, detail } = outcome;
    return {
      outcome: isAccepted ? 'accepted' : 'failed',
      reason: isAccepted ? null : outcome.reason,
      detail,
    };
  }
}

import type { DeadLetterList, DeliveryState } from '../contract/delivery-api.ts';
import { balanceOf } from '../outcome/balance.ts';
import type { Relay } from '../relay/relay.ts';
import type { Spool } from '../spool/spool.ts';
import type { DeadLetter } from '../spool/spool-messages.ts';

/** Rows of one page. */
const PAGE_ROWS = 50;

/** The ledger of *Nothing is lost* for people, and what can be done about dead letters. */
export class Delivery {
  readonly #spool: Spool;
  readonly #relay: Relay;

  constructor(spool: Spool, relay: Relay) {
    this.#spool = spool;
    this.#relay = relay;
  }

  async state(): Promise<DeliveryState> {
    const { ledger, held, classes, discards, fill, deadLetters } = await this.#spool.ask('counts', null);
    return {
      ...balanceOf(ledger, held),
      ends: ledger,
      classes: classes.map(({ oldestReceivedAtMs, ...counts }) => ({
        ...counts,
        oldest: oldestReceivedAtMs === null ? null : new Date(oldestReceivedAtMs).toISOString(),
      })),
      discards,
      fill,
      deadLetters,
      sinks: Object.entries(this.#relay.states()).map(([name, state]) => ({ name, state })),
    };
  }

  /** @param beforeId as `next` of an earlier page, or null for the first. */
  async deadLetters(beforeId: number | null): Promise<DeadLetterList> {
    const rows = await this.#spool.ask('deadLetters', { beforeId, limit: PAGE_ROWS });
    const last = rows.at(-1);
    return {
      deadLetters: rows.map(summaryOf),
      next: rows.length < PAGE_ROWS || last === undefined ? null : String(last.id),
    };
  }

  /** Sends dead letters to their upstreams again. @returns how many. */
  async redrive(ids: readonly number[]): Promise<number> {
    return (await this.#spool.askAndGrow('redrive', { ids })).redriven;
  }

  /** Drops dead letters for good. @returns how many. */
  async discard(ids: readonly number[]): Promise<number> {
    return (await this.#spool.ask('discard', { ids })).discarded;
  }
}

function summaryOf({ receivedAtMs, diedAtMs, ...letter }: DeadLetter) {
  return {
    ...letter,
    received: new Date(receivedAtMs).toISOString(),
    died: new Date(diedAtMs).toISOString(),
  };
}

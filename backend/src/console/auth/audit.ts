import type { AuditEntry, AuditList, ChangeAction, ReadAction } from '../../contract/access-api.ts';
import type { EventStore } from '../../store/event-store.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Principal } from './principal.ts';
import { PAGE_ROWS } from '../../contract/issues-api.ts';
import { DAY_MS } from '../../time/iso.ts';
import { RecentMap } from '../../time/recent-map.ts';

type Actor = Pick<AuditEntry, 'who' | 'role'>;

/** An action and its target. */
export interface AuditAction<Action> {
  readonly action: Action;
  readonly target: string | null;
  readonly detail?: string | null;
}

/** An open page repeats its requests: equal reads within this time are one entry. */
const REPEAT_MS = 60_000;
/** Reads in memory for that; more than any team makes in a minute. */
const MAX_REMEMBERED = 1_000;
/** Refused users in the log in a day: anyone may have an account at a public provider, and must not fill the log. */
const MAX_REFUSED = 100;
/** Characters of a target; the store cuts it there. */
const MAX_TARGET_LENGTH = 500;

/** The user part of a URL: in a DSN it is the project's key. */
const URL_USER = /(?<=\/\/)[^\s/@]+@/g;

/**
 * A SHA-256 in hex: the key of an issue, too long to read. Its first 16 digits tell apart two issues with one digest, which
 * have the first 10 in common.
 */
const SHA_KEY = /\b([\da-f]{16})[\da-f]{48}\b/gi;

/**
 * The audit log: reads and changes by user. A read never waits for its entry and never fails with it. A change must
 * not happen without an entry, so its entry is written first; it also records a change that then fails.
 */
export class Audit {
  readonly #store: EventStore;
  readonly #log: Pick<Log, 'error'>;
  readonly #now: () => number;
  /** Time of the last entry for each read, or of the last call of a polled one. */
  readonly #hasRead = new RecentMap<string, number>(MAX_REMEMBERED);
  /** Users whose refusal is in the log, since a time. */
  readonly #refused = new Set<string>();
  #refusedSinceMs = -Infinity;

  constructor(store: EventStore, log: Pick<Log, 'error'>, now: () => number = Date.now) {
    this.#store = store;
    this.#log = log;
    this.#now = now;
  }

  /**
   * Records a read, unless the same one was recorded within the last minute.
   *
   * @param isPolled for a page that repeats it without end: one entry, until a minute has passed without a call.
   */
  hasRead(principal: Principal, action: AuditAction<ReadAction>, isPolled = false): void {
    const key = JSON.stringify([principal.who, action.action, action.target]);
    if (this.#isRepeat(key, isPolled)) return;
    // A failed entry must not suppress the entry of the next read.
    this.#writeLater(principal, action, () => this.#hasRead.delete(key));
  }

  /**
   * Records a user whom the provider has identified and who has no role: once a day, and 100 users a day at most. Refused
   * tokens have no entry, because a stranger needs no account to send one; see SignInRecord.
   */
  refused(who: string, reason: string): void {
    if (this.#now() - this.#refusedSinceMs >= DAY_MS) {
      this.#refused.clear();
      this.#refusedSinceMs = this.#now();
    }
    if (this.#refused.has(who) || this.#refused.size >= MAX_REFUSED) return;
    this.#refused.add(who);
    const action = { action: 'sign_in_refused', target: null, detail: reason } as const;
    this.#writeLater({ who, role: null }, action, () => this.#refused.delete(who));
  }

  /** Records changes; await it before the first one. A target of many words becomes several entries. */
  async changed(principal: Principal, ...actions: readonly AuditAction<ChangeAction>[]): Promise<void> {
    if (actions.length > 0) await this.#write(principal, actions);
  }

  /** Returns a page of entries, newest first. @param beforeId `next` of the previous page, or null for the first page. */
  list(beforeId: number | null): Promise<AuditList> {
    return this.#store.ask('audit', beforeId, PAGE_ROWS);
  }

  #writeLater(actor: Actor, action: AuditAction<AuditEntry['action']>, undo: () => unknown): void {
    this.#write(actor, [action]).catch((error: unknown) => {
      undo();
      this.#log.error({ err: error }, 'audit_failed');
    });
  }

  async #write({ who, role }: Actor, actions: readonly AuditAction<AuditEntry['action']>[]): Promise<void> {
    const atMs = this.#now();
    const entries = actions.map(({ action, target, detail = null }) => ({
      atMs,
      who,
      role,
      action,
      target: withoutKeys(target),
      detail: withoutKeys(detail),
    }));
    await this.#store.ask('writeAudit', ...entries);
  }

  #isRepeat(key: string, isPolled: boolean): boolean {
    const nowMs = this.#now();
    const lastMs = this.#hasRead.get(key);
    const isRepeat = lastMs !== undefined && nowMs - lastMs < REPEAT_MS;
    if (isRepeat && !isPolled) return true;
    this.#hasRead.set(key, nowMs);
    return isRepeat;
  }
}

/** Removes the keys of projects and cuts those of issues, wherever the text came from: a pasted DSN, a path of the API. */
function withoutKeys(text: string | null): string | null {
  return text === null ? null : text.replaceAll(URL_USER, '').replaceAll(SHA_KEY, '$1…');
}

/** Returns targets of at most 500 characters that name all the ids, such as those of dead letters. */
export function targetsOf(ids: readonly string[]): readonly string[] {
  const targets: string[] = [];
  for (const id of ids) {
    const longer = `${targets.at(-1)} ${id}`;
    if (targets.length === 0 || longer.length > MAX_TARGET_LENGTH) targets.push(id);
    else targets[targets.length - 1] = longer;
  }
  return targets;
}

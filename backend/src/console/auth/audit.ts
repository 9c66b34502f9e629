import type { AuditList } from '../../contract/access-api.ts';
import type { EventStore } from '../../store/event-store.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Principal } from './principal.ts';

/** What somebody looked up. */
export type LookUpAction = 'find' | 'look_up' | 'download';

/** What somebody changed. */
export type ChangeAction =
  'sign_in' | 'sign_out' | 'set_status' | 'note' | 'redrive' | 'discard' | 'erase' | 'revoke';

/** What was done, and to what. */
export interface AuditAction<Action> {
  readonly action: Action;
  readonly target: string | null;
  readonly detail?: string | null;
}

/** A page that is open asks for the same again and again: within this time that is one entry. */
const REPEAT_MS = 60_000;
/** Look-ups remembered for that; more people than read at once in any team. */
const MAX_REMEMBERED = 1_000;
const PAGE_ROWS = 50;
/** Characters of targets in one entry: what the store keeps of them. */
const MAX_TARGET_LENGTH = 500;

/**
 * Who looked up and changed what. A look-up never waits for its entry nor fails with it; a change is refused where it
 * cannot be written down first: the entry says that somebody asked for it, even if it then failed.
 */
export class Audit {
  readonly #store: EventStore;
  readonly #log: Pick<Log, 'error'>;
  readonly #now: () => number;
  /** When each look-up was last written down, the oldest first. */
  readonly #lookedUp = new Map<string, number>();

  constructor(store: EventStore, log: Pick<Log, 'error'>, now: () => number = Date.now) {
    this.#store = store;
    this.#log = log;
    this.#now = now;
  }

  lookedUp(visitor: Principal, deed: AuditAction<LookUpAction>): void {
    const key = JSON.stringify([visitor.who, deed.action, deed.target]);
    if (this.#isRepeat(key)) return;
    this.#write(visitor, deed).catch((error: unknown) => {
      // What is not written is no entry that the next look-up could repeat.
      this.#lookedUp.delete(key);
      this.#log.error({ err: error }, 'audit_failed');
    });
  }

  /** To be waited for before the change. Of many targets at once, separated by blanks, each is in an entry. */
  async changed(visitor: Principal, deed: AuditAction<ChangeAction>): Promise<void> {
    for (const target of targetsOf(deed.target)) await this.#write(visitor, { ...deed, target });
  }

  /** Newest first. @param beforeId as `next` of an earlier page, or null for the first. */
  list(beforeId: number | null): Promise<AuditList> {
    return this.#store.ask('audit', beforeId, PAGE_ROWS);
  }

  async #write(
    { who, role }: Principal,
    { action, target, detail = null }: AuditAction<string>,
  ): Promise<void> {
    await this.#store.ask('writeAudit', { atMs: this.#now(), who, role, action, target, detail });
  }

  #isRepeat(key: string): boolean {
    const nowMs = this.#now();
    const lastMs = this.#lookedUp.get(key);
    if (lastMs !== undefined && nowMs - lastMs < REPEAT_MS) return true;
    this.#lookedUp.delete(key);
    this.#lookedUp.set(key, nowMs);
    const [oldest] = this.#lookedUp.keys();
    if (oldest !== undefined && this.#lookedUp.size > MAX_REMEMBERED) this.#lookedUp.delete(oldest);
    return false;
  }
}

/** Keys of issues or numbers of dead letters, as many for each entry as it takes. */
function targetsOf(target: string | null): readonly (string | null)[] {
  if (target === null || target.length <= MAX_TARGET_LENGTH) return [target];
  const lines: string[] = [];
  for (const word of target.split(' ')) {
    const line = lines.at(-1);
    const longer = `${line} ${word}`;
    if (line === undefined || longer.length > MAX_TARGET_LENGTH) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

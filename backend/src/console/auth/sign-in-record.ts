import { type ClientIp, customerNetwork, keptAddress } from '../../net/client-address.ts';
import type { Log } from '../../telemetry/log.ts';
import type { CountBy } from '../../telemetry/metrics.ts';
import { RecentMap } from '../../time/recent-map.ts';

/**
 * What became of a sign-in. `wrong`: a token, also one of an API client, or the code of a link. `limited`: too many attempts.
 * `no_access`: the provider identified a user, who has no role. `failed`: any other return from the provider.
 */
type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];
export const SIGN_IN_OUTCOMES = ['accepted', 'wrong', 'limited', 'no_access', 'failed'] as const;

const MINUTE_MS = 60_000;
/** Lines of refused sign-ins in a minute: guesses from many networks must not fill the log. */
const MAX_REFUSED_LINES = 60;
/** Networks and outcomes in memory; the least recent is forgotten first. */
const MAX_NETWORKS = 10_000;

/** Sign-ins of one network and outcome since its last line. */
interface Unlogged {
  loggedAtMs: number;
  count: number;
}

/**
 * Counts sign-ins by outcome and logs them: at most one line a minute for a network and an outcome, with the number since the
 * line before. It must never log a token or a code, wrong ones neither: they may differ from a right one by a letter.
 */
export class SignInRecord {
  readonly #count: CountBy<SignInOutcome>;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  readonly #clientIp: ClientIp;
  readonly #now: () => number;
  readonly #unlogged = new RecentMap<string, Unlogged>(MAX_NETWORKS);
  #minute = { startedAtMs: -Infinity, lines: 0 };

  /** @param clientIp part of the address that a line may have. @param now monotonic clock, ms. */
  constructor(
    count: CountBy<SignInOutcome>,
    log: Pick<Log, 'info' | 'warn'>,
    clientIp: ClientIp,
    now: () => number = () => performance.now(),
  ) {
    this.#count = count;
    this.#log = log;
    this.#clientIp = clientIp;
    this.#now = now;
  }

  /** Records a sign-in from an address. */
  add(outcome: SignInOutcome, address: string): void {
    this.#count(outcome);
    const network = customerNetwork(address);
    const key = `${outcome} ${network}`;
    const unlogged = this.#unlogged.get(key) ?? { loggedAtMs: -Infinity, count: 0 };
    unlogged.count += 1;
    this.#unlogged.set(key, unlogged);
    const nowMs = this.#now();
    if (nowMs - unlogged.loggedAtMs < MINUTE_MS || !this.#mayLog(outcome, nowMs)) return;
    const line = { outcome, network: keptAddress(network, this.#clientIp), count: unlogged.count };
    if (outcome === 'accepted') this.#log.info(line, 'sign_in');
    else this.#log.warn(line, 'sign_in_refused');
    unlogged.loggedAtMs = nowMs;
    unlogged.count = 0;
  }

  /** Strangers use up the lines of refused sign-ins, so accepted ones have no such limit. */
  #mayLog(outcome: SignInOutcome, nowMs: number): boolean {
    if (outcome === 'accepted') return true;
    if (nowMs - this.#minute.startedAtMs >= MINUTE_MS) this.#minute = { startedAtMs: nowMs, lines: 0 };
    this.#minute.lines += 1;
    return this.#minute.lines <= MAX_REFUSED_LINES;
  }
}

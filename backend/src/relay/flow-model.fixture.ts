import { GroupCommit } from '../spool/group-commit.ts';
import { Overload } from '../spool/overload.ts';
import type { TimeSource } from '../time/time-source.ts';
import { FlowControl } from './flow-control.ts';
import { VirtualMachine, type VirtualThread } from './flow-machine.fixture.ts';
import { SinkModel, type UpstreamModel } from './flow-sink.fixture.ts';

/**
 * Processor time, ms: measured for an error of 3 KiB. At 128 clients an error costs 73 us of the main thread in an outage,
 * 150 with both sinks, 26 of the spool's thread and 106 of the store's.
 */
const COST = {
  receive: 0.046,
  answer: 0.026,
  commit: 0.07,
  committed: 0.03,
  settled: 0.003,
  turn: 0.005,
  read: 0.006,
};
/** Processor time of the spool's thread, ms. */
const SPOOL_COST = { commit: 0.18, row: 0.017, settle: 0.006, read: 0.3, readRow: 0.009 };
/** Processor time of V8's helper threads for each ms of the main thread. */
const V8 = 0.25;
const MAX_ROWS = 256;
/** Time after which a sender gets 503, ms. */
const COMMIT_TIMEOUT_MS = 2_000;

interface Request {
  readonly atMs: number;
  readonly project: number;
  readonly onAnswer: () => void;
}

interface ModelOptions {
  readonly cores: number;
  /** Cores that the process may use on average. */
  readonly coresLimit?: number;
  readonly upstreams: readonly UpstreamModel[];
  /** Envelopes that the spool may hold. */
  readonly maxEnvelopes?: number;
  /** Time of an fsync, ms. */
  readonly fsyncMs?: number;
}

/**
 * The process in virtual time, with the real flow control, window, ramp-up, group commit and overload. A run has the same numbers on
 * each machine.
 *
 * Not in it: envelopes of other sizes, pauses of the garbage collector, a disk that stands still, PostgreSQL.
 */
export class ProcessModel {
  readonly machine: VirtualMachine;
  readonly store: VirtualThread;
  readonly sinks: readonly SinkModel[];
  /** Times until the answer 200, ms. */
  readonly latenciesMs: number[] = [];
  /** Times until the answer 503, ms, and the fill of the spool then. */
  readonly refused: { readonly tookMs: number; readonly fill: number }[] = [];
  accepted = 0;
  fill = 0;
  activity = 0;
  readonly #main: VirtualThread;
  readonly #spool: VirtualThread;
  readonly #v8: VirtualThread;
  readonly #group: GroupCommit;
  readonly #overload: Overload;
  readonly #options: Required<Pick<ModelOptions, 'maxEnvelopes' | 'fsyncMs'>>;
  #appends: Request[] = [];
  #settlements: SinkModel[] = [];
  /** Unfinished appends. */
  #rows = 0;
  #isCommitting = false;
  #seed = 1;

  constructor({ cores, coresLimit, upstreams, maxEnvelopes = 160_000, fsyncMs = 1.3 }: ModelOptions) {
    this.#options = { maxEnvelopes, fsyncMs };
    this.machine = new VirtualMachine(cores, coresLimit);
    this.#main = this.machine.thread();
    this.#spool = this.machine.thread();
    this.store = this.machine.thread();
    this.#v8 = this.machine.thread();
    const time = this.#time();
    this.#group = new GroupCommit(time);
    const canEmpty = (): boolean => this.sinks.every(({ isFlowing }) => isFlowing);
    this.#overload = new Overload(() => ({ fill: this.fill, canEmpty: canEmpty() }), time.nowMs);
    // As os.availableParallelism() reports them.
    const seen = Math.min(cores, coresLimit ?? cores);
    const flow = new FlowControl(this, time, { cores: seen, usedMs: () => this.machine.usedMs });
    const context = {
      machine: this.machine,
      main: this.#main,
      store: this.store,
      flow,
      random: () => this.random(),
      work: (costMs: number) => this.#work(costMs),
      read: (rows: number, onRead: () => void) =>
        this.#spool.push(SPOOL_COST.read + rows * SPOOL_COST.readRow, () =>
          this.#main.push(rows * COST.read, onRead),
        ),
      settle: (sink: SinkModel, envelopes: number) => this.#settle(sink, envelopes),
    };
    this.sinks = [...upstreams, null].map((upstream) => new SinkModel(upstream, context));
  }

  /** Clients that wait, as the spool counts them. */
  get waiting(): number {
    return Math.max(this.#rows, this.#group.clients);
  }

  /** The same numbers in each run (Mulberry32), 0 to 1. */
  random(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0;
    const first = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed);
    const second = (first + Math.imul(first ^ (first >>> 7), 61 | first)) ^ first;
    return ((second ^ (second >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A client sends an envelope. */
  request(onAnswer: () => void, project = 0): void {
    const atMs = this.machine.nowMs;
    this.#main.push(COST.receive, () => {
      this.#v8.charge((COST.receive + COST.answer) * V8);
      if (this.#overload.refuses(this.#rows)) {
        this.#main.charge(COST.answer);
        this.#refuse(atMs, onAnswer);
        return;
      }
      this.#rows += 1;
      this.activity += 1;
      this.#appends.push({ atMs, project, onAnswer });
      this.#schedule();
    });
  }

  /** Runs until a time. Returns the number of answers 200 and of the envelopes that each sink has accepted, so far. */
  async totals(untilMs: number): Promise<readonly number[]> {
    await this.machine.run(untilMs);
    return [this.latenciesMs.length, ...this.sinks.map(({ delivered }) => delivered)];
  }

  /** Envelopes in the spool: one leaves when its last sink has settled it. */
  get #held(): number {
    return Math.max(...this.sinks.map(({ offered, settled }) => offered - settled));
  }

  #time(): TimeSource {
    const nowMs = (): number => this.machine.nowMs;
    return {
      nowMs,
      wallMs: nowMs,
      startTimer: (delayMs, onDue) => {
        let isCancelled = false;
        this.machine.after(delayMs, () => {
          if (isCancelled) return;
          onDue();
        });
        return () => void (isCancelled = true);
      },
      nextTurn: (onTurn) =>
        this.#main.push(COST.turn, () => {
          onTurn();
          this.machine.promised();
        }),
    };
  }

  #work(costMs: number): void {
    this.#main.charge(costMs);
    this.#v8.charge(costMs * V8);
  }

  #settle(sink: SinkModel, envelopes: number): void {
    for (let each = 0; each < envelopes; each += 1) this.#settlements.push(sink);
    this.#schedule();
  }

  /** As Spool does. */
  #schedule(): void {
    const work = { appends: this.#appends.length, writes: this.#settlements.length };
    const waiting = this.#overload.waiting(work);
    this.#group.added(waiting);
    if (this.#isCommitting || waiting.appends + waiting.writes === 0) return;
    this.#isCommitting = true;
    void this.#group.begin(waiting).then(() => this.#commit());
  }

  #commit(): void {
    const settled = this.#settlements.splice(0);
    const appends = this.#appends.splice(0, Math.min(MAX_ROWS, this.#overload.most));
    this.#work(COST.commit);
    const rowsMs = appends.length * SPOOL_COST.row + settled.length * SPOOL_COST.settle;
    this.#spool.push(SPOOL_COST.commit + rowsMs, () => {
      this.#spool.block();
      this.machine.after(this.#options.fsyncMs, () => {
        this.#spool.unblock();
        const answersMs = appends.length * COST.answer + settled.length * COST.settled;
        this.#main.push(COST.committed + answersMs, () => this.#committed(appends, settled));
      });
    });
  }

  #committed(appends: readonly Request[], settled: readonly SinkModel[]): void {
    const before = this.#held;
    for (const sink of settled) sink.settled += 1;
    this.#overload.committed(appends.length, before - this.#held);
    this.#group.ended(this.#rows);
    this.#rows -= appends.length;
    this.activity += appends.length;
    this.accepted += appends.length;
    for (const append of appends) this.#answer(append);
    this.fill = (this.#held + appends.length) / this.#options.maxEnvelopes;
    this.#isCommitting = false;
    for (const sink of this.sinks) {
      sink.committed(appends.filter(({ project }) => sink.isFor(project)).length);
      sink.pump();
    }
    this.#schedule();
  }

  #answer({ atMs, onAnswer }: Request): void {
    const tookMs = this.machine.nowMs - atMs;
    if (tookMs >= COMMIT_TIMEOUT_MS) {
      this.#refuse(atMs, onAnswer);
      return;
    }
    this.latenciesMs.push(tookMs);
    onAnswer();
  }

  #refuse(atMs: number, onAnswer: () => void): void {
    this.refused.push({ tookMs: this.machine.nowMs - atMs, fill: this.fill });
    onAnswer();
  }
}

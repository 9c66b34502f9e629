/*
 * Decides when the sinks of this process may start deliveries. Intake comes first, because a refused envelope is lost and a
 * delayed one is not: a start costs CPU time, and so starts are what intake and the sinks share.
 *
 * Nothing else may make a sink yield, and no sink may start outside of its credit and an idle turn, except the probe of one
 * that fails.
 */
import { availableParallelism } from 'node:os';
import type { Spool } from '../spool/spool.ts';
import { REAL_TIME, type TimeSource } from '../time/time-source.ts';

/** Starts in one idle turn: 0.3 ms. With 32, a closed loop of 32 clients lost a sixth of its rate. */
const STARTS_A_TURN = 8;
/** Credit of a sink for each envelope that was accepted for it: with 1/16 intake loses 3 %. */
const LEAST_SHARE = 1 / 32;
const MAX_CREDIT = 256;
/** Fill of the spool from which the sinks' share grows in a straight line, and where they have all of it. */
const SHARE_FROM_FILL = 0.5;
const WHOLE_SHARE_FILL = 0.9;
/** Clients of a commit above which they are a line, from which the store's part gets smaller. */
const LINE = 24;
/** A share of CPU time over less time depends on single batches of the store. */
const LOOK_MS = 100;
/** A look that is older says nothing: no commit has ended since then, and the sinks have the cores for themselves. */
const MAX_LOOK_MS = 1_000;
/** Share of the cores from which they are full, and below which they are free again: the sinks' own part is gone by then. */
const FULL = 0.9;
const FREE = 0.6;
/** Smallest part of its time that the store works. */
const LEAST_PART = 1 / 10;
/** Interval at which the rest of the store is computed again. */
const MAX_REST_MS = 50;

/** What the flow control knows of the spool. */
type SpoolLoad = Pick<Spool, 'waiting' | 'fill' | 'activity'>;

/** The processor time of this process. */
export interface ProcessorTime {
  /** Cores that it may use. */
  readonly cores: number;
  /** Time used by all its threads so far, ms. */
  readonly usedMs: () => number;
}

/** A sink that the flow control knows. */
export interface FlowSink {
  /** Whether it works on this machine, in the time that intake and the upstreams leave: the store. */
  readonly isLocal: boolean;
  /** Starts as many batches as its limits allow. */
  pump(): void;
}

interface Share {
  /** Envelopes that it may start without an idle turn. */
  credit: number;
  endedAtMs: number;
  tookMs: number;
}

const THIS_PROCESS: ProcessorTime = {
  // Neither affinity nor limit change while it runs.
  cores: availableParallelism(),
  usedMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

/** Shares the main thread and the cores between intake and all sinks. See docs/architecture.md, "Threads". */
export class FlowControl {
  readonly #spool: SpoolLoad;
  readonly #time: TimeSource;
  readonly #processor: ProcessorTime;
  readonly #cores: number;
  readonly #shares = new Map<FlowSink, Share>();
  /** Starts left in this turn of the event loop. */
  #starts = 0;
  #isArmed = false;
  #isArmedLater = false;
  /** Whether this turn of the event loop ends: what is armed now waits for a whole one. */
  #isTurnEnd = false;
  #turns = 0;
  #lookedAtMs: number;
  #usedMs: number;
  /** Time of batches of local sinks since the last look. */
  #localMs = 0;
  /** Fewest clients of a commit with envelopes since the last look; Infinity without one. */
  #shortestLine = Infinity;
  #isFull = false;
  /** Cores that the others leave to local sinks. */
  #leftCores = Infinity;

  constructor(spool: SpoolLoad, time: TimeSource = REAL_TIME, processor: ProcessorTime = THIS_PROCESS) {
    this.#spool = spool;
    this.#time = time;
    this.#processor = processor;
    this.#cores = Math.max(1, processor.cores);
    this.#lookedAtMs = time.nowMs();
    this.#usedMs = processor.usedMs();
  }

  /** Reports whether a sink may start a batch. If not, it is pumped in an idle turn, or after a commit. */
  mayStart(sink: FlowSink): boolean {
    if (this.#hasTurn(sink) || this.#shareOf(sink).credit > 0) return true;
    if (this.#mayUseTurns(sink)) this.#arm();
    else this.#armLater();
    return false;
  }

  /** A batch has started. */
  started(sink: FlowSink, envelopes: number): void {
    if (this.#hasTurn(sink)) this.#starts -= 1;
    else this.#shareOf(sink).credit -= envelopes;
  }

  /** A batch has ended. */
  ended(sink: FlowSink, tookMs: number): void {
    const share = this.#shareOf(sink);
    share.endedAtMs = this.#time.nowMs();
    share.tookMs = tookMs;
    if (sink.isLocal) this.#localMs += tookMs;
  }

  /** Returns how long a sink has to rest after its last batch, ms. Ask again after that time: the rest may become longer. */
  restMs(sink: FlowSink): number {
    if (!sink.isLocal) return 0;
    const { endedAtMs, tookMs } = this.#shareOf(sink);
    const restsUntilMs = endedAtMs + tookMs * (1 / this.#localPart() - 1);
    return Math.min(MAX_REST_MS, Math.max(0, restsUntilMs - this.#time.nowMs()));
  }

  /** A commit has ended. @param accepted envelopes of it for this sink. */
  committed(sink: FlowSink, accepted: number): void {
    const share = this.#shareOf(sink);
    const line = shareByFill(this.#spool.fill);
    const perEnvelope = Math.min(MAX_CREDIT, Math.max(LEAST_SHARE, line / (1 - line)));
    share.credit = Math.min(MAX_CREDIT, share.credit + Math.max(1, accepted * perEnvelope));
    // A commit of settlements alone, between two of all clients of a closed loop, ends while few of them wait.
    if (accepted > 0) this.#shortestLine = Math.min(this.#shortestLine, this.#spool.waiting);
    this.#look();
  }

  #hasTurn(sink: FlowSink): boolean {
    return this.#starts > 0 && this.#mayUseTurns(sink);
  }

  /** While the cores are full, a turn that is idle for the event loop is the time in which the spool's thread commits. */
  #mayUseTurns({ isLocal }: FlowSink): boolean {
    return isLocal || !this.#mustYield();
  }

  /** Whether clients stand in line for full cores. */
  #mustYield(): boolean {
    return this.#isFull && this.#time.nowMs() - this.#lookedAtMs < MAX_LOOK_MS;
  }

  /** The part of its time that a local sink works: what the others leave of the cores, less while many clients wait. */
  #localPart(): number {
    const least = Math.max(LEAST_PART, shareByFill(this.#spool.fill));
    if (this.#mustYield()) return least;
    return Math.min(1, Math.max(least, (this.#leftCores * LINE) / Math.max(1, this.#spool.waiting)));
  }

  #look(): void {
    const nowMs = this.#time.nowMs();
    const passedMs = nowMs - this.#lookedAtMs;
    if (passedMs < LOOK_MS) return;
    const usedMs = this.#processor.usedMs();
    const used = Math.max(0, usedMs - this.#usedMs) / passedMs;
    this.#leftCores = this.#cores - used + Math.min(1, this.#localMs / passedMs);
    const isLong = this.#shortestLine > LINE && this.#shortestLine < Infinity;
    this.#isFull = isLong && used >= (this.#isFull ? FREE : FULL) * this.#cores;
    this.#lookedAtMs = nowMs;
    this.#usedMs = usedMs;
    this.#localMs = 0;
    this.#shortestLine = Infinity;
  }

  /**
   * Waits for a turn of the event loop in which no client sent or was answered. Node handles sockets and messages of
   * threads first in each turn, and then calls this: intake comes first by order, on any machine.
   */
  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    const before = this.#isTurnEnd ? this.#spool.activity : undefined;
    this.#time.nextTurn(() => {
      this.#isArmed = false;
      this.#isTurnEnd = true;
      try {
        if (this.#spool.activity === before) this.#startIdle();
        else this.#arm();
      } finally {
        this.#isTurnEnd = false;
      }
    });
  }

  /** Waits for the end of the last look, as no commit may follow that gives credit: the clients have gone. */
  #armLater(): void {
    if (this.#isArmedLater) return;
    this.#isArmedLater = true;
    this.#time.startTimer(this.#lookedAtMs + MAX_LOOK_MS - this.#time.nowMs(), () => {
      this.#isArmedLater = false;
      this.#arm();
    });
  }

  /** Pumps the sinks in rotation; those for which no start is left, in the next turn. One that throws ends its own turn only. */
  #startIdle(): void {
    this.#starts = STARTS_A_TURN;
    const sinks = [...this.#shares.keys()];
    const first = this.#turns % sinks.length;
    this.#turns += 1;
    const errors: unknown[] = [];
    for (const sink of [...sinks.slice(first), ...sinks.slice(0, first)]) {
      try {
        if (this.#starts > 0) sink.pump();
        else this.#arm();
      } catch (error) {
        errors.push(error);
      }
    }
    this.#starts = 0;
    if (errors.length > 0) throw new AggregateError(errors, 'sinks threw in their turn');
  }

  #shareOf(sink: FlowSink): Share {
    const share = this.#shares.get(sink) ?? { credit: 0, endedAtMs: -Infinity, tookMs: 0 };
    this.#shares.set(sink, share);
    return share;
  }
}

function shareByFill(fill: number): number {
  return Math.min(1, Math.max(0, (fill - SHARE_FROM_FILL) / (WHOLE_SHARE_FILL - SHARE_FROM_FILL)));
}

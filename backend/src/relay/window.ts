/** Envelopes in flight at the start: enough for 1,000 a second at 15 ms. */
const START = 16;
/** Failures shrink the window to it; after that the pauses of circuit breaker and rate limits take over. */
const MIN = 4;
/**
 * Envelopes in flight below which latencies are not judged: so many are no burden to an upstream, and on a machine or in a
 * container that is short of CPU time the latency is its own. With four at once a busy machine sent 80 envelopes a second.
 */
const ALWAYS = 64;
/** The mean latency up to which the window grows: so much more than the lowest is noise. */
const GROWS_BELOW = { factor: 1.25, slackMs: 5 };
/** The mean latency above which the upstream, or the way to it, has a queue. */
const SHRINKS_ABOVE = { factor: 2, slackMs: 10 };
/**
 * One more for each 5 ms of latency: a window of answers comes that much less often from far away, and by one at a time a
 * window for 4,000 a second at 100 ms would take 40 s.
 */
const GROWTH_MS = 5;
/** The lowest latency is that of the last 10 to 20 s: a way that has become longer is no queue. */
const LOWEST_MS = 10_000;

/** An envelope that the upstream has answered. */
interface Answer {
  /** Monotonic clock. */
  readonly startedAtMs: number;
  readonly nowMs: number;
  /** Whether the window was full and an envelope waited for it. */
  readonly isLimit: boolean;
}

/**
 * Limits how many envelopes are in flight to one upstream, by its latency (additive increase, multiplicative decrease).
 *
 * By Little's law a rate needs a window of rate times latency: 64 at once were 571 envelopes a second at 100 ms, and
 * more than a nearby upstream needs. The window grows while envelopes wait for it and answers come as fast as before. It
 * halves, once for each round trip, when the upstream gets too much or does not answer, and above 64 also when it
 * answers slowly.
 *
 * Latencies are compared by the means of as many answers as the window holds; single ones differ too much.
 */
export class Window {
  readonly #max: number;
  #size: number;
  #answers = 0;
  #sumMs = 0;
  #wasLimit = false;
  /** Answers to envelopes from before the last decrease say nothing about the window after it. */
  #decreasedAtMs = -Infinity;
  #lowestMs = Infinity;
  #lowestBeforeMs = Infinity;
  #lowestSinceMs = -Infinity;

  constructor(max: number) {
    this.#max = max;
    this.#size = Math.min(START, max);
  }

  get size(): number {
    return this.#size;
  }

  answered({ startedAtMs, nowMs, isLimit }: Answer): void {
    if (startedAtMs < this.#decreasedAtMs) return;
    this.#answers += 1;
    this.#sumMs += nowMs - startedAtMs;
    this.#wasLimit ||= isLimit;
    if (this.#answers < this.#size) return;
    this.#judge(this.#sumMs / this.#answers, nowMs);
    this.#restart();
  }

  /** The upstream gets too much (429), failed, or did not answer an envelope that was sent at `startedAtMs`. */
  failed(startedAtMs: number, nowMs: number): void {
    if (startedAtMs >= this.#decreasedAtMs) this.#decrease(MIN, nowMs);
  }

  #judge(meanMs: number, nowMs: number): void {
    const lowestMs = Math.min(this.#lowestMs, this.#lowestBeforeMs, meanMs);
    const isSmall = this.#size < ALWAYS;
    if (!isSmall && meanMs > limitOf(lowestMs, SHRINKS_ABOVE)) this.#decrease(ALWAYS, nowMs);
    else if (this.#wasLimit && (isSmall || meanMs < limitOf(lowestMs, GROWS_BELOW))) {
      this.#size = Math.min(this.#max, this.#size + Math.max(1, Math.round(lowestMs / GROWTH_MS)));
    }
    if (nowMs - this.#lowestSinceMs >= LOWEST_MS) {
      this.#lowestBeforeMs = this.#lowestMs;
      this.#lowestMs = Infinity;
      this.#lowestSinceMs = nowMs;
    }
    this.#lowestMs = Math.min(this.#lowestMs, meanMs);
  }

  #decrease(min: number, nowMs: number): void {
    this.#size = Math.max(Math.min(min, this.#max), Math.floor(this.#size / 2));
    this.#decreasedAtMs = nowMs;
    this.#restart();
  }

  #restart(): void {
    this.#answers = 0;
    this.#sumMs = 0;
    this.#wasLimit = false;
  }
}

function limitOf(
  lowestMs: number,
  { factor, slackMs }: { readonly factor: number; readonly slackMs: number },
): number {
  return lowestMs * factor + slackMs;
}

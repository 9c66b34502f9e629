/** What is known of a kept envelope without reading its bytes. */
export interface OutboxHead {
  /** 32 hex digits; of the entry, not of the event in it. */
  readonly id: string;
  /** An error or feedback: somebody's only trace of a failure, which nothing else may push out. */
  readonly isError: boolean;
  /** Wall clock (ms since 1970): the only clock that goes on when the page is gone. */
  readonly queuedAtMs: number;
  readonly bytes: number;
}

/** An envelope and its bytes as the SDK serialised them. */
export interface OutboxEnvelope extends OutboxHead {
  readonly body: Uint8Array<ArrayBuffer>;
}

/** What may be kept at once. */
export interface OutboxLimits {
  readonly maxCount: number;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/**
 * Count: a third of the burst the tunnel grants one address (300), so that a browser that comes back is not refused
 * for what it kept. Bytes: 100 large error envelopes of 40 KiB; every browser grants an origin far more. Age: as
 * long as the server itself holds an error (ERRATA_SPOOL_MAX_AGE).
 */
export const OUTBOX_LIMITS: OutboxLimits = {
  maxCount: 100,
  maxBytes: 4 * 1024 * 1024,
  maxAgeMs: 7 * 24 * 60 * 60 * 1_000,
};

/** Least worth first: what is no error before errors, and in each the oldest first. */
export function byPriority(one: OutboxHead, other: OutboxHead): number {
  return Number(one.isError) - Number(other.isError) || one.queuedAtMs - other.queuedAtMs;
}

/**
 * What has to go: everything too old, then of the least worth as much as is over the limits. What claims to come
 * from further ahead than that age was kept by a clock that has been put right since, and would never grow old.
 */
export function toEvict(
  heads: readonly OutboxHead[],
  nowMs: number,
  limits: OutboxLimits,
): readonly OutboxHead[] {
  const isOld = ({ queuedAtMs }: OutboxHead) => Math.abs(nowMs - queuedAtMs) > limits.maxAgeMs;
  const evicted = heads.filter(isOld);
  const rest = heads.filter((head) => !isOld(head)).toSorted(byPriority);
  let count = rest.length;
  let bytes = rest.reduce((sum, head) => sum + head.bytes, 0);
  for (const head of rest) {
    if (count <= limits.maxCount && bytes <= limits.maxBytes) break;
    evicted.push(head);
    count -= 1;
    bytes -= head.bytes;
  }
  return evicted;
}

/** Metadata of a queued envelope, without its bytes. */
export interface OutboxHead {
  /** 32 hex characters; of the entry, not of the event in it. */
  readonly id: string;
  /** An error or feedback: the only copy of it, so other items never evict it. */
  readonly isError: boolean;
  /** Wall clock, ms since 1970: the only clock that continues across pages. */
  readonly queuedAtMs: number;
  readonly bytes: number;
}

/** An envelope with its bytes as the SDK serialised them. */
export interface OutboxEnvelope extends OutboxHead {
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Limits of an outbox. */
export interface OutboxLimits {
  readonly maxCount: number;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/**
 * Count: a third of the burst that the tunnel allows one IP address (300), so that a returning browser is not
 * rate-limited. Bytes: 100 large error envelopes of 40 KiB; every browser grants an origin far more. Age: as long as
 * the server keeps an error (ERRATA_SPOOL_MAX_AGE).
 */
export const OUTBOX_LIMITS: OutboxLimits = {
  maxCount: 100,
  maxBytes: 4 * 1024 * 1024,
  maxAgeMs: 7 * 24 * 60 * 60 * 1_000,
};

/** Orders by priority, lowest first: other items before errors, the oldest first. */
export function byPriority(one: OutboxHead, other: OutboxHead): number {
  return Number(one.isError) - Number(other.isError) || one.queuedAtMs - other.queuedAtMs;
}

/**
 * Returns the envelopes to evict: all expired ones, then those of lowest priority above the limits. An envelope dated
 * further ahead than the age limit was queued by a wrong clock and would never expire.
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

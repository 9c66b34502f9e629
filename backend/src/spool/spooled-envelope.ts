import { isForStore } from '../envelope/envelope-class.ts';

/** Bit of `pending` for the upstream that the envelope's DSN names. */
export const UPSTREAM_BIT = 1;
/** Bit of `pending` for the store. */
export const STORE_BIT = 2;

/** What the tunnel knows of the sender beside the bytes; forwarded to the upstream as a fixed set of headers. */
export interface SenderMeta {
  /** Client address from trusted hops only; null when `ERRATA_CLIENT_IP` is `none`. */
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly origin: string | null;
  readonly referer: string | null;
  /** `Sec-CH-UA…` headers by their lower-case name. */
  readonly clientHints: Readonly<Record<string, string>>;
}

/** Who appended an envelope: a browser or SDK through the tunnel, or the server's own Sentry client. */
export type EnvelopeSource = 'tunnel' | 'own';

/** One row of the spool: an accepted envelope and what is needed to deliver it. */
export interface SpooledEnvelope {
  /** Grows with every append, never reused. */
  readonly id: number;
  /** Canonical DSN of the project (see envelope/dsn.ts), the key of the allow-list. */
  readonly project: string;
  readonly source: EnvelopeSource;
  /** 0 critical (errors, feedback) to 4 lowest (replays): see envelope/envelope-class.ts. */
  readonly class: number;
  /** Wall clock at intake, ms since the epoch. */
  readonly receivedAtMs: number;
  /** 32 hex digits, or null where the envelope has none. */
  readonly eventId: string | null;
  readonly sender: SenderMeta;
  /** Header line as received, without its newline. */
  readonly header: Uint8Array;
  /** Everything after the header line's newline, as received. */
  readonly items: Uint8Array;
  /** Bits of the sinks that have yet to settle it: {@link UPSTREAM_BIT}, {@link STORE_BIT}. */
  readonly pending: number;
}

/** The sinks that have something to do for an envelope of these items: its upstream, if it has one, and the store. */
export function sinksOf(types: readonly string[], hasUpstream: boolean): number {
  return (hasUpstream ? UPSTREAM_BIT : 0) | (types.some(isForStore) ? STORE_BIT : 0);
}

/** An envelope on its way into the spool, which gives it its id. */
export type NewEnvelope = Omit<SpooledEnvelope, 'id'>;

import { classOfItems, type EnvelopeClass, isForStore } from '../envelope/envelope-class.ts';

/** Above this size an envelope is worth compressing, on the disk and on its way; below, the SDKs do not do it either. */
export const GZIP_ABOVE_BYTES = 32 * 1024;

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
  /** `name/version` of its SDK, as the envelope's header names it. */
  readonly sdk: string | null;
  /** `Sec-CH-UA…` headers by their lower-case name. */
  readonly clientHints: Readonly<Record<string, string>>;
}

/** Of what the server itself has to say. */
export const NO_SENDER: SenderMeta = {
  address: null,
  userAgent: null,
  origin: null,
  referer: null,
  sdk: null,
  clientHints: {},
};

/** Who appended an envelope: a browser or SDK through the tunnel, or the server's own Sentry client. */
export type EnvelopeSource = 'tunnel' | 'own';
export const SOURCES: readonly EnvelopeSource[] = ['tunnel', 'own'];

/**
 * How long an envelope is worth keeping. Errors and feedback for days; check-ins an hour, since a monitor's late
 * check-in is a wrong one; the rest a day, after which upstreams refuse or re-time it.
 */
export type Lifetime = 'error' | 'check_in' | 'other';
/** In the order of the numbers that stand for them in the spool's file. */
export const LIFETIMES: readonly Lifetime[] = ['error', 'check_in', 'other'];

/** One row of the spool: an accepted envelope and what is needed to deliver it. */
export interface QueuedEnvelope {
  /** Grows with every append, never reused. */
  readonly id: number;
  /** Canonical DSN of the project (see envelope/dsn.ts), the key of the allow-list. */
  readonly project: string;
  readonly source: EnvelopeSource;
  /** 0 critical (errors, feedback) to 4 lowest (replays): see envelope/envelope-class.ts. */
  readonly class: EnvelopeClass;
  readonly lifetime: Lifetime;
  /** Wall clock at intake, ms since the epoch. */
  readonly receivedAtMs: number;
  /** The same by the steady clock, see steady-clock.ts; null where the machine was started anew since. */
  readonly steadyAtMs: number | null;
  /** 32 hex digits, or null where the envelope has none. */
  readonly eventId: string | null;
  /** Whether that id was made here: a sender's retry then comes with another one. */
  readonly hasMadeId: boolean;
  readonly sender: SenderMeta;
  /** Header line as received, without its newline. */
  readonly header: Uint8Array;
  /** Everything after the header line's newline, as received. */
  readonly items: Uint8Array;
  /** The whole envelope, gzip; null for a small one, which is stored and sent as it is. */
  readonly gzipped: Uint8Array | null;
  /** Bits of the sinks that have yet to settle it: {@link UPSTREAM_BIT}, {@link STORE_BIT}. */
  readonly pending: number;
}

/** An envelope on its way into the spool, which gives it its id and its place in time, and compresses it. */
export type NewEnvelope = Omit<QueuedEnvelope, 'id' | 'gzipped' | 'steadyAtMs'>;

/** What follows from the types of an envelope's items. */
type FromTypes = Pick<NewEnvelope, 'class' | 'lifetime' | 'pending'>;

/** Who wants an envelope of these items, how much it matters, how long it lives. `pending` 0: nobody wants it. */
export function traitsOf(types: readonly string[], hasUpstream: boolean): FromTypes {
  const rank = classOfItems(types);
  return {
    class: rank,
    lifetime: rank === 0 ? 'error' : types.every((type) => type === 'check_in') ? 'check_in' : 'other',
    pending: (hasUpstream ? UPSTREAM_BIT : 0) | (types.some(isForStore) ? STORE_BIT : 0),
  };
}

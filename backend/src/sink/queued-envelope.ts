import { classOfItems, type EnvelopeClass, isForStore, type TypedItem } from '../envelope/envelope-class.ts';

/** Size above which an envelope is compressed, on disk and in transit; the SDKs use the same threshold. */
export const GZIP_ABOVE_BYTES = 32 * 1024;

/** Bit of `pending` for the upstream that the envelope's DSN names. */
export const UPSTREAM_BIT = 1;
/** Bit of `pending` for the store. */
export const STORE_BIT = 2;

/** Metadata of the client's request; forwarded to the upstream as a fixed set of headers. */
export interface SenderMeta {
  /** Client address from trusted hops only; null when `ERRATA_CLIENT_IP` is `none`. */
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly origin: string | null;
  readonly referer: string | null;
  /** Host and port by which a browser knows this server; not in envelopes of an earlier version. */
  readonly host?: string | null;
  /** `name/version` of its SDK: that of the envelope's header, else `sentry_client` of the request. */
  readonly sdk: string | null;
  /** `Sec-CH-UA…` headers by their lower-case name. */
  readonly clientHints: Readonly<Record<string, string>>;
}

/** For envelopes that the server itself creates. */
export const NO_SENDER: SenderMeta = {
  address: null,
  userAgent: null,
  origin: null,
  referer: null,
  sdk: null,
  clientHints: {},
};

/**
 * Sender of an envelope: any client through the tunnel, the server's own Sentry client, a gateway that the operator trusts,
 * or a server with the server key of its project.
 */
export type EnvelopeSource = (typeof SOURCES)[number];
/** Messages between threads hold the index in this list, the spool's file the text. */
export const SOURCES = ['tunnel', 'own', 'gateway', 'server'] as const;

/** Returns the source with this name. That of a later version is the one that proves least, the tunnel. */
export function sourceNamed(name: unknown): EnvelopeSource {
  return SOURCES.find((source) => source === name) ?? 'tunnel';
}

/**
 * Retention class of an envelope. Errors and feedback are kept for days; check-ins for an hour, since a late check-in
 * makes a monitor wrong; other data for a day, after which upstreams refuse it or change its time.
 */
export type Lifetime = (typeof LIFETIMES)[number];
/** The spool's file stores the index in this list. */
export const LIFETIMES = ['error', 'check_in', 'other'] as const;

/** One accepted envelope in the spool, with everything needed to deliver it. */
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
  /** The same by the monotonic clock (time/monotonic-clock.ts); null after a reboot of the machine. */
  readonly monotonicAtMs: number | null;
  /** 32 hex digits, or null if the envelope has none. */
  readonly eventId: string | null;
  /** Whether Errata generated that id: a client's retry then gets another one. */
  readonly hasMadeId: boolean;
  readonly sender: SenderMeta;
  /** Header line as received, without its newline. */
  readonly header: Uint8Array;
  /** Everything after the header line's newline, as received. */
  readonly items: Uint8Array;
  /** The whole envelope as gzip; null for a small one, which is stored and sent uncompressed. */
  readonly gzipped: Uint8Array | null;
  /** Bits of the sinks that have yet to settle it: {@link UPSTREAM_BIT}, {@link STORE_BIT}. */
  readonly pending: number;
}

/** An envelope to append; the spool assigns the id and the monotonic time, and compresses it. */
export type NewEnvelope = Omit<QueuedEnvelope, 'id' | 'gzipped' | 'monotonicAtMs'>;

/** The bytes of an envelope in the spool's file, or of a dead letter. */
export interface SpooledBytes {
  readonly id: number;
  readonly receivedAtMs: number;
  readonly eventId: string | null;
  readonly header: Uint8Array;
  /** The items; where `isGzip` is 1, the whole envelope, compressed. */
  readonly stored: Uint8Array;
  readonly isGzip: number;
}

/** The bytes of an envelope with its canonical DSN. */
export interface ProjectBytes extends SpooledBytes {
  readonly project: string;
}

/** Properties that follow from an envelope's items. */
type FromItems = Pick<NewEnvelope, 'class' | 'lifetime' | 'pending'>;

/** Returns class, lifetime and sinks of an envelope from its items. `pending` is 0 if it has no sink. */
export function traitsOf(items: readonly TypedItem[], hasUpstream: boolean): FromItems {
  const types = items.map(({ type }) => type);
  const envelopeClass = classOfItems(types);
  return {
    class: envelopeClass,
    lifetime:
      envelopeClass === 0 ? 'error' : types.every((type) => type === 'check_in') ? 'check_in' : 'other',
    pending: (hasUpstream ? UPSTREAM_BIT : 0) | (items.some(isForStore) ? STORE_BIT : 0),
  };
}

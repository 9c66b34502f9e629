import { canonicalDsn, type Dsn, parseDsn } from '../envelope/dsn.ts';

/** A project that may be reported to. */
export interface AllowedProject {
  readonly dsn: Dsn;
  /** Canonical DSN: the project's name in spool and store. */
  readonly project: string;
  /** Whether the DSN names a service to forward to. */
  readonly hasUpstream: boolean;
}

/** Texts of DSNs that were allowed before; senders repeat theirs, and parsing each time is for nothing. */
const MAX_KNOWN = 256;

/**
 * The DSNs that may be reported to, compared on parsed components, public key included: a tunnel that compares
 * text or trusts the envelope's host is an open relay into the network it runs in (GHSA-2rmr-xw8m-22q9).
 */
export class AllowList {
  readonly #projects: ReadonlyMap<string, AllowedProject>;
  readonly #known = new Map<string, AllowedProject>();

  constructor(projects: readonly AllowedProject[]) {
    this.#projects = new Map(projects.map((entry) => [entry.project, entry]));
  }

  /** The project a DSN names, `not_allowed` when it is none of ours, `malformed` when it is no DSN. */
  find(dsn: string): AllowedProject | 'not_allowed' | 'malformed' {
    const known = this.#known.get(dsn);
    if (known !== undefined) return known;
    const parsed = parseDsn(dsn);
    if (parsed === undefined) return 'malformed';
    const found = this.#projects.get(canonicalDsn(parsed));
    if (found === undefined) return 'not_allowed';
    if (this.#known.size < MAX_KNOWN) this.#known.set(dsn, found);
    return found;
  }
}

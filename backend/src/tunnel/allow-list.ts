import { canonicalDsn, type Dsn, parseDsn } from '../envelope/dsn.ts';

/** A project that may be reported to. */
export interface AllowedProject {
  readonly dsn: Dsn;
  /** Canonical DSN: the project's name in spool and store. */
  readonly project: string;
  /** Whether the DSN names a service to forward to. */
  readonly hasUpstream: boolean;
}

/** What a request says of its project beside the envelope's header; see credentials.ts. */
export interface Credentials {
  /** Project id of the path; null where it names none. */
  readonly projectId: string | null;
  /** Public keys of query and `X-Sentry-Auth`, as often as they were given. */
  readonly keys: readonly string[];
}

/** Why no project was found; `malformed`: the DSN is none. */
export type Denial = 'missing' | 'disagree' | 'not_allowed' | 'malformed';

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

  /**
   * The project that an envelope's DSN and the request's own credentials name. Whatever is given must agree; an
   * upstream that is told two projects refuses both (protocol A2–A4, A6, A8).
   */
  authenticate(dsn: string | null, { projectId, keys }: Credentials): AllowedProject | Denial {
    const [key] = keys;
    if (keys.some((other) => other !== key)) return 'disagree';
    if (dsn === null) return key === undefined ? 'missing' : this.#byKey(key, projectId);
    if (key === undefined && projectId === null) return this.#byDsn(dsn);
    const parsed = parseDsn(dsn);
    if (parsed === undefined) return 'malformed';
    const hasOtherKey = key !== undefined && key !== parsed.publicKey;
    const hasOtherProject = projectId !== null && projectId !== parsed.projectId;
    if (hasOtherKey || hasOtherProject) return 'disagree';
    const found = this.#byDsn(dsn);
    // An SDK that has this host in its DSN names it in the header, too; who it is, path and key have said (A9).
    return found === 'not_allowed' && projectId !== null ? this.#byKey(parsed.publicKey, projectId) : found;
  }

  /** The first project, or the first with this id: browsers cannot send a key with their reports. */
  ofReports(projectId: string | null): AllowedProject | 'not_allowed' {
    const all = [...this.#projects.values()];
    return all.find(({ dsn }) => projectId === null || dsn.projectId === projectId) ?? 'not_allowed';
  }

  #byDsn(dsn: string): AllowedProject | 'not_allowed' | 'malformed' {
    const known = this.#known.get(dsn);
    if (known !== undefined) return known;
    const parsed = parseDsn(dsn);
    if (parsed === undefined) return 'malformed';
    const found = this.#projects.get(canonicalDsn(parsed));
    if (found === undefined) return 'not_allowed';
    if (this.#known.size < MAX_KNOWN) this.#known.set(dsn, found);
    return found;
  }

  /** Only a project that is the only one: two hosts may both have a project 1, and keys can be shared. */
  #byKey(key: string, projectId: string | null): AllowedProject | 'not_allowed' {
    const found = [...this.#projects.values()].filter(
      ({ dsn }) => dsn.publicKey === key && (projectId === null || dsn.projectId === projectId),
    );
    const [only] = found;
    return only === undefined || found.length > 1 ? 'not_allowed' : only;
  }
}

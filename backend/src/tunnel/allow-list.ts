import { canonicalDsn, type Dsn, parseDsn } from '../envelope/dsn.ts';

/** A project whose envelopes the tunnel accepts. */
export interface AllowedProject {
  readonly dsn: Dsn;
  /** Canonical DSN: identifies the project in spool and store. */
  readonly project: string;
  /** Whether the DSN names a service to which envelopes are forwarded. */
  readonly hasUpstream: boolean;
  /** A second key, for servers, which no page contains; absent when the store was away at the start. */
  readonly serverKey?: string;
}

/** What a request says about its project outside the envelope; see request-meta.ts. */
export interface Credentials {
  /** Project id of the path; null without one. */
  readonly projectId: string | null;
  /** Public keys of query and `X-Sentry-Auth`, duplicates included. */
  readonly keys: readonly string[];
}

/** Reason why a request has no allowed project; `malformed`: the envelope's DSN cannot be parsed. */
export type Denial = 'missing' | 'disagree' | 'not_allowed' | 'malformed';

/** Cached DSN texts. Clients repeat theirs, so most texts need no parsing; the limit keeps hostile ones out. */
const MAX_CACHED = 256;

/**
 * The allowed DSNs. It compares parsed components, public key included: a tunnel that compares text or trusts the
 * envelope's host is an open relay into the network that it runs in (GHSA-2rmr-xw8m-22q9).
 */
export class AllowList {
  readonly #all: readonly AllowedProject[];
  /** By canonical DSN, with each of the two keys. */
  readonly #byDsn: ReadonlyMap<string, AllowedProject>;
  readonly #byText = new Map<string, AllowedProject>();

  constructor(projects: readonly AllowedProject[]) {
    this.#all = projects;
    this.#byDsn = new Map(projects.flatMap((entry) => dsnsOf(entry).map((dsn) => [dsn, entry])));
  }

  /**
   * Returns the project that the envelope's DSN and the request's credentials name. All of them must agree, because an
   * upstream rejects an envelope with two different projects (protocol A2–A4, A6, A8).
   */
  authenticate(dsn: string | null, { projectId, keys }: Credentials): AllowedProject | Denial {
    const [key] = keys;
    if (keys.some((other) => other !== key)) return 'disagree';
    if (dsn === null) return key === undefined ? 'missing' : this.#findByKey(key, projectId);
    if (key === undefined && projectId === null) return this.#findByDsn(dsn);
    const parsed = parseDsn(dsn);
    if (parsed === undefined) return 'malformed';
    const hasOtherKey = key !== undefined && key !== parsed.publicKey;
    const hasOtherProject = projectId !== null && projectId !== parsed.projectId;
    if (hasOtherKey || hasOtherProject) return 'disagree';
    const found = this.#findByDsn(dsn);
    // An SDK whose DSN has this host sends it in the header, too; key and project id then identify the project (A9).
    return found === 'not_allowed' && projectId !== null
      ? this.#findByKey(parsed.publicKey, projectId)
      : found;
  }

  /** Returns the project of browser reports: the first one, or the first with this id. Browsers cannot send a key. */
  projectOfReports(projectId: string | null): AllowedProject | 'not_allowed' {
    return this.#all.find(({ dsn }) => projectId === null || dsn.projectId === projectId) ?? 'not_allowed';
  }

  #findByDsn(dsn: string): AllowedProject | 'not_allowed' | 'malformed' {
    const cached = this.#byText.get(dsn);
    if (cached !== undefined) return cached;
    const parsed = parseDsn(dsn);
    if (parsed === undefined) return 'malformed';
    const found = this.#byDsn.get(canonicalDsn(parsed));
    if (found === undefined) return 'not_allowed';
    if (this.#byText.size < MAX_CACHED) this.#byText.set(dsn, found);
    return found;
  }

  /** Returns a project only if no other one matches: two hosts may both have a project 1, and keys can be shared. */
  #findByKey(key: string, projectId: string | null): AllowedProject | 'not_allowed' {
    const found = this.#all.filter(
      ({ dsn, serverKey }) =>
        (dsn.publicKey === key || serverKey === key) && (projectId === null || dsn.projectId === projectId),
    );
    const [only] = found;
    return only === undefined || found.length > 1 ? 'not_allowed' : only;
  }
}

function dsnsOf({ dsn, project, serverKey }: AllowedProject): readonly string[] {
  return serverKey === undefined ? [project] : [project, canonicalDsn({ ...dsn, publicKey: serverKey })];
}

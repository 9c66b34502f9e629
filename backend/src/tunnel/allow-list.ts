import { canonicalDsn, type Dsn, parseDsn } from '../envelope/dsn.ts';
import type { EnvelopeSource } from '../sink/queued-envelope.ts';
import type { Log } from '../telemetry/log.ts';

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

/** The project of a request, and which of its two keys the request has. */
export interface Authenticated extends AllowedProject {
  /** Whether it is the server key. */
  readonly isServer: boolean;
  /** Canonical DSN with that key. */
  readonly given: string;
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

/** Time between two warnings of a server key in a page: each visitor of the page would cause one. */
const WARNING_MS = 3_600_000;

/**
 * The allowed DSNs. It compares parsed components, public key included: a tunnel that compares text or trusts the
 * envelope's host is an open relay into the network that it runs in (GHSA-2rmr-xw8m-22q9).
 */
export class AllowList {
  readonly #all: readonly AllowedProject[];
  readonly #log: Pick<Log, 'warn'>;
  readonly #nowMs: () => number;
  /** By canonical DSN, with each of the two keys. */
  readonly #byDsn: ReadonlyMap<string, Authenticated>;
  readonly #byText = new Map<string, Authenticated>();
  #warnedAtMs = -Infinity;

  /** @param nowMs monotonic clock. */
  constructor(
    projects: readonly AllowedProject[],
    log: Pick<Log, 'warn'>,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#all = projects;
    this.#log = log;
    this.#nowMs = nowMs;
    this.#byDsn = new Map(projects.flatMap(keysOf).map((entry) => [entry.given, entry]));
  }

  /**
   * Returns the project that the envelope's DSN and the request's credentials name. All of them must agree, because an
   * upstream rejects an envelope with two different projects (protocol A2–A4, A6, A8).
   */
  authenticate(dsn: string | null, { projectId, keys }: Credentials): Authenticated | Denial {
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

  /**
   * Returns the sender of an envelope. Browsers send `Origin` with each POST, so a server key beside one is in a page, which
   * anyone can read.
   *
   * @param origin header of the request; null without one.
   */
  sourceOf({ isServer }: Authenticated, origin: string | null): EnvelopeSource {
    if (!isServer) return 'tunnel';
    if (origin === null) return 'server';
    const nowMs = this.#nowMs();
    if (nowMs - this.#warnedAtMs >= WARNING_MS) {
      this.#warnedAtMs = nowMs;
      this.#log.warn({ origin }, 'server_key_in_page');
    }
    return 'tunnel';
  }

  /** Returns the project of browser reports: the first one, or the first with this id. Browsers cannot send a key. */
  projectOfReports(projectId: string | null): AllowedProject | 'not_allowed' {
    return this.#all.find(({ dsn }) => projectId === null || dsn.projectId === projectId) ?? 'not_allowed';
  }

  #findByDsn(dsn: string): Authenticated | 'not_allowed' | 'malformed' {
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
  #findByKey(key: string, projectId: string | null): Authenticated | 'not_allowed' {
    const found = [...this.#byDsn.values()].filter(
      ({ dsn, serverKey, isServer }) =>
        key === (isServer ? serverKey : dsn.publicKey) && (projectId === null || dsn.projectId === projectId),
    );
    const [only] = found;
    return only === undefined || found.length > 1 ? 'not_allowed' : only;
  }
}

/** Returns a project once with each of its keys. */
function keysOf(allowed: AllowedProject): readonly Authenticated[] {
  const { dsn, project, serverKey } = allowed;
  const open = { ...allowed, isServer: false, given: project };
  if (serverKey === undefined) return [open];
  return [open, { ...allowed, isServer: true, given: canonicalDsn({ ...dsn, publicKey: serverKey }) }];
}

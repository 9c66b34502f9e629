export const CONSOLE_SETUP_PATH = '/console/api/setup';

/** A project that the tunnel accepts, with the DSNs for the SDKs of its applications. */
export interface ProjectSetup {
  /** Canonical DSN, as in every other response. */
  readonly project: string;
  /** DSN for browsers, which send through the tunnel. It holds the public key and never a secret. */
  readonly browserDsn: string;
  /**
   * DSN for servers: the server key, with this server as the host. Null for support, and while the server key is unknown,
   * because the store was away when this process started.
   */
  readonly serverDsn: string | null;
}

/** Response of `GET /console/api/setup`: the values that connect an application with this server. */
export interface Setup {
  /** The application's own project first. */
  readonly projects: readonly ProjectSetup[];
  /** Origin of this server: `ERRATA_PUBLIC_URL`, or the one of the request. */
  readonly origin: string;
  /** Path of the tunnel on this origin, with the base path. */
  readonly tunnel: string;
  /** Release of this server's application, `SENTRY_RELEASE`; null where it is not set. */
  readonly release: string | null;
}

/** Options of the Nest module in another application. Types of this file are public: it imports nothing. */
export interface ErrorReportingModuleOptions {
  /** Release of the application, such as `shop@4.2.0`. By default `SENTRY_RELEASE`, then name and version of its package.json. */
  readonly release?: string | undefined;
  /** Absolute path of the application; file names in digests are relative to it. By default the working directory. */
  readonly applicationRoot?: string | undefined;
  /** Folder of the application's built client, with its error pages and source maps. By default `ERRATA_CLIENT_DIR`. */
  readonly clientDir?: string | undefined;
  /** Settings by the name of their environment variable (docs/configuration.md). They come before the environment. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether the module records failures outside of requests and then ends the process with status 1, as Node does. It does
   * so unless this is false.
   */
  readonly recordsProcessFailures?: boolean | undefined;
}

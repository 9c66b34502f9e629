/** Name of the `<meta>` element in index.html whose `content` is a {@link BrowserSettings} as JSON. */
export const SETTINGS_META_NAME = 'errata';

/**
 * What the server tells its client at run time, so that one image serves every environment.
 */
export interface BrowserSettings {
  /** The DSN browser reports carry in their envelope header. */
  readonly dsn: string;
  /** Path on this origin that takes the reports. */
  readonly tunnel: string;
  readonly release: string;
  readonly environment: string;
  /** Whether the demo routes exist; the shell home shows its three buttons only then. */
  readonly demo: boolean;
}

/** Stands in the built index.html where the server puts the settings, as HTML-escaped JSON. */
export const SETTINGS_PLACEHOLDER = '%ERRATA_SETTINGS%';

/** What of index.html is only for the demo: the plain links of `<noscript>`. */
export const DEMO_LINKS = /<!--demo-->[\s\S]*?<!--\/demo-->/g;

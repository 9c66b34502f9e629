/** Name of the `<meta>` element in index.html whose `content` is a {@link BrowserSettings} as JSON. */
export const SETTINGS_META_NAME = 'errata';

/** Settings that the server passes to its client at run time, so that one image serves every environment. */
export interface BrowserSettings {
  /** DSN in the envelope header of browser reports. */
  readonly dsn: string;
  /** Path below which Errata serves everything, without a slash at its end; empty for none. */
  readonly basePath: string;
  /** Path on this origin that accepts envelopes, with the base path. */
  readonly tunnel: string;
  readonly release: string;
  readonly environment: string;
  /** Whether the demo routes exist; only then the home page shows its three buttons. */
  readonly demo: boolean;
  /** What errata-react adds to its error pages; absent on plain pages. */
  readonly help?: HelpSettings | undefined;
}

/** Help on the error pages of a browser (`ERRATA_ERROR_PAGE=helpful`). */
export interface HelpSettings {
  /** `ERRATA_SUPPORT_URL`, for a link with the codes of the page. */
  readonly supportUrl?: string | undefined;
}

/** Settings in the pages of another team's client, whose release only an operator knows: the version of Errata is another. */
export type ClientSettings = Omit<BrowserSettings, 'release'> & Partial<Pick<BrowserSettings, 'release'>>;

/** Placeholder in the built index.html, which the server replaces with the settings as HTML-escaped JSON. */
export const SETTINGS_PLACEHOLDER = '%ERRATA_SETTINGS%';

/** Part of index.html that exists only for the demo: the plain links of `<noscript>`. */
export const DEMO_LINKS = /<!--demo-->[\s\S]*?<!--\/demo-->/g;

import {
  SETTINGS_META_NAME,
  type BrowserSettings,
  type HelpSettings,
} from '@errata/backend/contract/browser-settings.ts';
import { SUPPORT_URL } from '@errata/backend/contract/texts.ts';

/** Returns whether a value is an object, with unknown fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns the content of the page's `<meta>`; empty when another server served the page (the placeholder is unchanged). */
function settingsOf(page: Document): Readonly<Record<string, unknown>> {
  const meta = page.querySelector<HTMLMetaElement>(`meta[name="${SETTINGS_META_NAME}"]`);
  try {
    const value: unknown = JSON.parse(meta?.content ?? '');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * Reads the settings, by hand: a schema library would be larger than all of reporting. Returns null when another server served
 * the page. Then nothing is reported.
 */
export function readSettings(page: Document): BrowserSettings | null {
  const { dsn, tunnel, release, environment, demo, basePath } = settingsOf(page);
  if (typeof dsn !== 'string' || typeof tunnel !== 'string') return null;
  if (typeof environment !== 'string') return null;
  return {
    dsn,
    basePath: typeof basePath === 'string' ? basePath : '',
    tunnel,
    release: typeof release === 'string' ? release : '',
    environment,
    demo: demo === true,
  };
}

/**
 * Reads the help that the server wants on error pages; null for none, and for another shape. Only the package reads it, so
 * that the built-in client is smaller.
 */
export function readHelp(page: Document): HelpSettings | null {
  const { help } = settingsOf(page);
  if (!isRecord(help)) return null;
  const { supportUrl } = help;
  if (supportUrl === undefined) return {};
  return typeof supportUrl === 'string' && SUPPORT_URL.test(supportUrl) ? { supportUrl } : null;
}

/** The form that the SDK accepts; with another DSN it sends nothing, and says nothing. */
const DSN = /^\w+:\/\/\w+(?::\w*)?@[\w.:%[\]-]+\/.+/;

/** Returns whether events can be sent with the settings. */
export function hasDsn(settings: BrowserSettings | null): settings is BrowserSettings {
  return settings !== null && DSN.test(settings.dsn);
}

/** Settings that a page of another application gives by itself. */
export interface GivenSettings {
  readonly dsn: string;
  readonly tunnel?: string | undefined;
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
}

/**
 * Completes given settings with those that the server wrote into the page, field by field: an application that names its DSN
 * still reports the release that the server knows.
 *
 * @param ofPage null when another server served the page.
 */
export function completeSettings(given: GivenSettings, ofPage: BrowserSettings | null): BrowserSettings {
  return {
    // A variable of the build that is missing is undefined, whatever its type says.
    dsn: given.dsn || (ofPage?.dsn ?? ''),
    basePath: ofPage?.basePath ?? '',
    tunnel: given.tunnel ?? ofPage?.tunnel ?? '/tunnel',
    release: given.release ?? ofPage?.release ?? '',
    environment: given.environment ?? ofPage?.environment ?? 'production',
    demo: false,
  };
}

import { SETTINGS_META_NAME, type BrowserSettings } from '@errata/backend/contract/browser-settings.ts';

/** Returns whether a value is an object, with unknown fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** By hand: a schema library would weigh more than the whole of reporting. */
function parseSettings(json: string): BrowserSettings | null {
  try {
    const value: unknown = JSON.parse(json);
    if (!isRecord(value)) return null;
    const { dsn, tunnel, release, environment, demo } = value;
    if (typeof dsn !== 'string' || typeof tunnel !== 'string') return null;
    if (typeof release !== 'string' || typeof environment !== 'string') return null;
    return { dsn, tunnel, release, environment, demo: demo === true };
  } catch {
    return null;
  }
}

/** Null when the page was not served by Errata (the placeholder still stands): then nothing is reported. */
export function readSettings(page: Document): BrowserSettings | null {
  const meta = page.querySelector<HTMLMetaElement>(`meta[name="${SETTINGS_META_NAME}"]`);
  return meta === null ? null : parseSettings(meta.content);
}

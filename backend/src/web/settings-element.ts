import {
  type ClientSettings,
  SETTINGS_META_NAME,
  SETTINGS_PLACEHOLDER,
} from '../contract/browser-settings.ts';

/** Returns the page with the settings in the place of the placeholder, or with a `<meta>` at `offset`. */
export function withSettings(html: string, settings: ClientSettings, offset: number | null): string {
  const content = JSON.stringify(settings)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;');
  if (offset === null || html.includes(SETTINGS_PLACEHOLDER))
    return html.replace(SETTINGS_PLACEHOLDER, () => content);
  return `${html.slice(0, offset)}<meta name="${SETTINGS_META_NAME}" content="${content}">${html.slice(offset)}`;
}

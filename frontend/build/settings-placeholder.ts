/** Stands in index.html where the server puts its BrowserSettings as HTML-escaped JSON; once. */
export const SETTINGS_PLACEHOLDER = '%ERRATA_SETTINGS%';

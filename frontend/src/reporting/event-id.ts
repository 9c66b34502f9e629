/**
 * Returns a new Sentry event ID, 32 hex characters. Made before the SDK is loaded, so that the page can show it at
 * once.
 */
export function newEventId(): string {
  // Not crypto.randomUUID: browsers disable it on plain HTTP, where reports matter too.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

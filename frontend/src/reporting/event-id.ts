/** A Sentry event id: 32 hex digits. Made here, before the SDK is loaded, so that a page can name it at once. */
export function newEventId(): string {
  // Not crypto.randomUUID: browsers refuse it on plain http, where reports matter just as much.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

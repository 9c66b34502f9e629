/** An item of an envelope that Errata writes. */
export interface WrittenItem {
  readonly type: 'event' | 'transaction' | 'feedback' | 'user_report' | 'security' | 'raw_security' | 'nel';
  readonly payload: Buffer;
  /** Release and environment of the application, where they are known and the payload does not contain them. */
  readonly sentry_release?: string;
  readonly sentry_environment?: string;
}

/** Writes an envelope with these items. @param dsn canonical, with either key of the project. */
export function writeEnvelope(dsn: string, eventId: string, items: readonly WrittenItem[]): Buffer {
  const header = Buffer.from(JSON.stringify({ event_id: eventId, dsn }));
  const parts = items.flatMap(({ type, payload, ...names }) => {
    const item = { type, length: payload.length, content_type: 'application/json', ...names };
    return [Buffer.from(`\n${JSON.stringify(item)}\n`), payload];
  });
  return Buffer.concat([header, ...parts]);
}

/** An item of an envelope made here. */
export interface WrittenItem {
  readonly type: 'event' | 'raw_security' | 'nel';
  readonly payload: Buffer;
  /** Of the application whose page sent it, as far as it is known and the payload does not say. */
  readonly sentry_release?: string;
  readonly sentry_environment?: string;
}

/** An envelope of these items, for what came as something else. */
export function writeEnvelope(project: string, eventId: string, items: readonly WrittenItem[]): Buffer {
  const header = Buffer.from(JSON.stringify({ event_id: eventId, dsn: project }));
  const parts = items.flatMap(({ type, payload, ...names }) => {
    const item = { type, length: payload.length, content_type: 'application/json', ...names };
    return [Buffer.from(`\n${JSON.stringify(item)}\n`), payload];
  });
  return Buffer.concat([header, ...parts]);
}

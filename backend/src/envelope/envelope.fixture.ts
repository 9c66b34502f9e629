import fc from 'fast-check';

export const SAMPLE_ID = '9ec79c33ec9942ab8353589fcb2e04dc';
export const SAMPLE_DSN = 'https://abcdefabcdefabcdefabcdefabcdef12@o1.ingest.sentry.io/42';

/** Joins lines by newlines. */
export function lines(...text: readonly string[]): Buffer {
  return Buffer.from(text.join('\n'));
}

/** An item for {@link writeItems}. */
export interface SampleItem {
  readonly type: string;
  readonly payload: Uint8Array;
}

/** Any type, among them names with a meaning in JavaScript. */
const anyType = fc.oneof(
  fc.constantFrom('event', 'attachment', 'replay_recording', '__proto__', 'constructor', ''),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

/** Any payload, also newlines and invalid UTF-8. */
export const anyItem: fc.Arbitrary<SampleItem> = fc.record({
  type: anyType,
  payload: fc.uint8Array({ maxLength: 60 }),
});

/** Writes items, each with its length and its newline. */
export function writeItems(items: readonly SampleItem[]): Buffer {
  const newline = Buffer.from('\n');
  return Buffer.concat(
    items.flatMap(({ type, payload }) => [
      Buffer.from(`${JSON.stringify({ type, length: payload.length })}\n`),
      payload,
      newline,
    ]),
  );
}

import { randomUUID } from 'node:crypto';
import { hashOf } from '../../fixtures/fake-upstream.ts';
import { newEventId } from '../../fixtures/envelopes.ts';

export type Kind = 'error' | 'transaction' | 'session' | 'replay';

/** All kinds of envelopes that a browser sends with all features on; errors are the most frequent. */
export const MIXED: readonly Kind[] = ['error', 'transaction', 'error', 'session', 'error', 'replay'];

/** An envelope of the test with a unique ID. */
export interface Made {
  /** The event ID; for a session, which has none, the `sid`. */
  readonly id: string;
  readonly kind: Kind;
  readonly bytes: Buffer;
  /** SHA-256 of everything after the header line. */
  readonly itemsHash: string;
}

export interface Extras {
  /** Message of an error. */
  readonly message?: string;
  /** Whether each error has a digest of its own: of errors with one digest a full spool keeps some only. */
  readonly isUnique?: boolean;
  /** Sent as an attachment; many envelopes may have the same bytes. */
  readonly attachment?: Buffer;
}

/** Message by which the upstream knows the envelopes that it is to answer in another way. */
export const MARK = 'an envelope with a mark';

/** Number of frames that gives an event of ordinary size, about 2 KiB. */
const FRAMES = Array.from({ length: 12 }, (_, index) => ({
  filename: `http://127.0.0.1/assets/application-${index}.js`,
  function: `step${index}`,
  lineno: 10 + index,
  colno: 7,
  in_app: true,
}));

export function makeEnvelope(dsn: string, kind: Kind, extras: Extras = {}): Made {
  const id = newEventId();
  const nowMs = Date.now();
  const common = { dsn, sent_at: new Date(nowMs).toISOString() };
  const header = kind === 'session' ? common : { event_id: id, ...common };
  const lines = itemsOf(kind, id, nowMs / 1_000, extras).map((part) => JSON.stringify(part));
  const items = withAttachment(Buffer.from(lines.join('\n')), extras.attachment);
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), items]);
  return { id, kind, bytes, itemsHash: hashOf(items) };
}

/** Returns an ID without digits, which a digest leaves out. */
function lettersOf(id: string): string {
  return id.replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
}

function withAttachment(items: Buffer, attachment: Buffer | undefined): Buffer {
  if (attachment === undefined) return items;
  const head = { type: 'attachment', filename: 'screen.bin', length: attachment.length };
  return Buffer.concat([items, Buffer.from(`\n${JSON.stringify(head)}\n`), attachment]);
}

function itemsOf(
  kind: Kind,
  id: string,
  seconds: number,
  { message = 'the fault bench', isUnique = false }: Extras,
): readonly object[] {
  switch (kind) {
    case 'error': {
      const type = isUnique ? `Error${lettersOf(id)}` : 'Error';
      const value = { type, value: message, stacktrace: { frames: FRAMES } };
      return [
        { type: 'event' },
        { event_id: id, platform: 'javascript', timestamp: seconds, exception: { values: [value] } },
      ];
    }
    case 'transaction': {
      const trace = { trace_id: newEventId(), span_id: randomUUID().slice(0, 8), op: 'pageload' };
      return [
        { type: 'transaction' },
        {
          event_id: id,
          type: 'transaction',
          transaction: '/cart',
          start_timestamp: seconds - 1,
          timestamp: seconds,
          contexts: { trace },
          spans: [],
        },
      ];
    }
    case 'session':
      return [
        { type: 'session' },
        {
          sid: id,
          init: true,
          status: 'ok',
          started: new Date(seconds * 1_000).toISOString(),
          attrs: { release: 'bench@1' },
        },
      ];
    case 'replay':
      return [
        { type: 'replay_event' },
        { event_id: id, type: 'replay_event', replay_id: id, segment_id: 0, timestamp: seconds },
      ];
  }
}

/** Reads the ID of an arrived envelope of the test; null for any other envelope. */
export function idOf(header: Readonly<Record<string, unknown>>, items: Buffer): string | null {
  if (typeof header['event_id'] === 'string') return header['event_id'];
  return /"sid":"([0-9a-f]{32})"/.exec(items.toString('latin1', 0, 1_024))?.[1] ?? null;
}

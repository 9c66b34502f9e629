import { asBuffer } from './bytes.ts';
import { findMember, findMembers, type Member } from './header-line.ts';

/** New values of the header line; omitted ones stay unchanged. */
export interface HeaderEdits {
  /** Replaces an existing DSN. None is added, because an upstream accepts only one form of authentication (protocol A4). */
  readonly dsn?: string;
  /** Replaces an existing time. None is added, because the upstream corrects clocks by it (protocol L4). */
  readonly sentAt?: string;
  /** Added if the header has none or zeros. An existing id identifies the event and stays. */
  readonly eventId?: string;
}

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/**
 * Replaces values in a header line; every other byte stays unchanged, unknown attributes and spaces included
 * (protocol E16, A9, L4).
 *
 * @param line a line that `readEnvelopeHeader` accepted, without its newline.
 * @returns the same line if nothing changes, otherwise a copy.
 */
export function rewriteHeader(line: Uint8Array, edits: HeaderEdits): Uint8Array {
  const bytes = asBuffer(line);
  const members = findMembers(bytes) ?? [];
  const splices = [
    replaceString(bytes, findMember(bytes, members, 'dsn'), edits.dsn),
    replaceString(bytes, findMember(bytes, members, 'sent_at'), edits.sentAt),
    fillEventId(bytes, members, edits.eventId),
  ].filter((splice) => splice !== undefined);
  if (splices.length === 0) return line;
  const inOrder = splices.toSorted((one, other) => one.start - other.start);
  return apply(bytes, inOrder);
}

function replaceString(
  line: Buffer,
  member: Member | undefined,
  text: string | undefined,
): Splice | undefined {
  if (member === undefined || text === undefined || line.at(member.valueStart) !== 0x22) return undefined;
  return { start: member.valueStart, end: member.valueEnd, bytes: Buffer.from(JSON.stringify(text)) };
}

/** `null`, or zeros with or without a UUID's hyphens. */
const NO_ID = /^(?:null|"[0-]+")$/;

function fillEventId(line: Buffer, members: readonly Member[], id: string | undefined): Splice | undefined {
  if (id === undefined) return undefined;
  const member = findMember(line, members, 'event_id');
  if (member === undefined) {
    const text = `"event_id":${JSON.stringify(id)}${members.length > 0 ? ',' : ''}`;
    return { start: 1, end: 1, bytes: Buffer.from(text) };
  }
  const value = line.toString('latin1', member.valueStart, member.valueEnd);
  return NO_ID.test(value)
    ? { start: member.valueStart, end: member.valueEnd, bytes: Buffer.from(JSON.stringify(id)) }
    : undefined;
}

function apply(line: Buffer, splices: readonly Splice[]): Uint8Array {
  const grown = splices.reduce((sum, { start, end, bytes }) => sum + bytes.length - (end - start), 0);
  const result = new Uint8Array(line.length + grown);
  let from = 0;
  let to = 0;
  for (const { start, end, bytes } of splices) {
    result.set(line.subarray(from, start), to);
    result.set(bytes, to + start - from);
    to += start - from + bytes.length;
    from = end;
  }
  result.set(line.subarray(from), to);
  return result;
}

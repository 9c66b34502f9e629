import { hash } from 'node:crypto';
import { symbolsOf } from './crockford.ts';
import { engineMessage, engineType } from './engine-message.ts';
import { MAX_CAUSES } from './fault.ts';
import type { Fault } from './fault.ts';
import { skeletonOf } from './skeleton.ts';

/** First line of the hashed text. Another rule needs another name, because people hold digests of this one. */
const RULE = 'errata-digest/1';

/** Input of {@link digestOf} beside the fault. */
export interface DigestContext {
  /** Route template of the request or the page (`/orders/:id`, or routeTemplate's), null when there is none. */
  readonly route: string | null;
}

/** Identifies a fault. */
export interface Digest {
  /** SHA-256, 64 hexadecimal digits: the key in every store. */
  readonly key: string;
  /** The digest as pages show it: `XXXX-XXXX`, or the error's own digest unchanged. */
  readonly shown: string;
}

/** Characters of a type, code or route that count. */
const MAX_FIELD_LENGTH = 200;

/** Computes the digest of a fault, which is the same at every occurrence. Takes about 10 microseconds. */
export function digestOf(fault: Fault, context: DigestContext): Digest {
  if (fault.ownDigest !== null) return { key: ownKey(fault.ownDigest), shown: fault.ownDigest };
  const key = hash('sha256', canonicalText(fault, context), 'hex');
  return { key, shown: symbolsOf(key) };
}

/** Returns the key of an error's own digest. */
export function ownKey(ownDigest: string): string {
  return hash('sha256', `errata-digest/own\n${ownDigest}`, 'hex');
}

/**
 * Returns the text that is hashed: one line for each fact, a cause's lines behind `> `, each member's behind `+ `. Empty
 * codes have no line. Members are sorted and each counts once: tasks end in any order, and any number of them.
 *
 * When no error of the text has an own frame, the route replaces the frames (line `r`): "fetch failed" on two routes is
 * two faults.
 */
export function canonicalText(fault: Fault, context: DigestContext): string {
  const lines = textOf(fault, 0);
  const route = hasPlace(fault, 0) || context.route === null ? [] : [`r ${field(context.route)}`];
  return [RULE, ...lines, ...route].join('\n');
}

function textOf(fault: Fault, depth: number): readonly string[] {
  const { cause, members } = fault;
  const groups = new Set(members.map((member) => behind('+ ', textOf(member, depth + 1)).join('\n')));
  const below = cause === null || depth === MAX_CAUSES ? [] : behind('> ', textOf(cause, depth + 1));
  return [...linesOf(fault), ...[...groups].toSorted().flatMap((group) => group.split('\n')), ...below];
}

function behind(prefix: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => prefix + line);
}

function hasPlace({ frames, cause, members }: Fault, depth: number): boolean {
  if (frames.length > 0 || members.some((member) => hasPlace(member, depth + 1))) return true;
  return cause !== null && depth < MAX_CAUSES && hasPlace(cause, depth + 1);
}

function linesOf(fault: Fault): readonly string[] {
  return [
    `t ${field(engineType(fault.type, fault.message))}`,
    ...(fault.code === null || fault.code === '' ? [] : [`c ${field(fault.code)}`]),
    `m ${engineMessage(fault.type, fault.message) ?? skeletonOf(fault.message)}`,
    ...fault.frames.map(({ file, function: name }) => `f ${field(`${file}#${name ?? ''}`)}`),
  ];
}

/** Makes a text one line: a line break in a thrown `code` must not forge another line. */
export function field(text: string): string {
  return text.slice(0, MAX_FIELD_LENGTH).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

import { hash } from 'node:crypto';
import { symbolsOf } from './crockford.ts';
import { engineMessage } from './engine-message.ts';
import { MAX_CAUSES } from './fault.ts';
import type { Fault } from './fault.ts';
import { skeletonOf } from './skeleton.ts';

/**
 * Version of the rules. 2 is 1 with the engines' own messages in one wording (engine-message.ts); docs/decisions/007
 * has what becomes of the digests of another version.
 */
export type DigestVersion = 1 | 2;

/** What digestOf knows beside the fault. */
export interface DigestContext {
  /** Route template of the request or the page (`/orders/:id`, or routeTemplate's), null when there is none. */
  readonly route: string | null;
  /** 1 when it is not said. */
  readonly version?: DigestVersion;
}

/** Which fault. */
export interface Digest {
  /** SHA-256, 64 hexadecimal digits: the key in every store. */
  readonly key: string;
  /** What people see: `XXXX-XXXX`, or the error's own digest as it came. */
  readonly shown: string;
  /** Version of the rules inside the hash; 'own' when the error brought its digest. */
  readonly version: DigestVersion | 'own';
}

/** Characters of a type, code or route that count. */
const MAX_FIELD_LENGTH = 200;

/** Of one fault, the same at every occurrence; about 10 microseconds. The rules are pages.md's. */
export function digestOf(fault: Fault, context: DigestContext): Digest {
  if (fault.ownDigest !== null)
    return { key: ownKey(fault.ownDigest), shown: fault.ownDigest, version: 'own' };
  const key = hash('sha256', canonicalText(fault, context), 'hex');
  return { key, shown: symbolsOf(key), version: context.version ?? 1 };
}

/** The key of an error's own digest; also how one that was pasted is looked up. */
export function ownKey(ownDigest: string): string {
  return hash('sha256', `errata-digest/own\n${ownDigest}`, 'hex');
}

/**
 * The text that is hashed: one line for each fact, a cause's lines behind `> `. Empty codes have no line.
 *
 * When neither the error nor a cause has an own frame, the route stands in for the place (line `r`): "fetch
 * failed" on two routes is two faults. The line's letter is our decision, pages.md names only its content.
 */
export function canonicalText(fault: Fault, context: DigestContext): string {
  const { version = 1 } = context;
  const faults = chainOf(fault);
  const lines = faults.flatMap((each, depth) =>
    linesOf(each, version).map((line) => '> '.repeat(depth) + line),
  );
  const hasPlace = faults.some((each) => each.frames.length > 0);
  const route = hasPlace || context.route === null ? [] : [`r ${field(context.route)}`];
  return [`errata-digest/${version}`, ...lines, ...route].join('\n');
}

function chainOf(fault: Fault): readonly Fault[] {
  const chain = [fault];
  let cause = fault.cause;
  while (cause !== null && chain.length <= MAX_CAUSES) {
    chain.push(cause);
    cause = cause.cause;
  }
  return chain;
}

function linesOf(fault: Fault, version: DigestVersion): readonly string[] {
  const engines = version === 1 ? null : engineMessage(fault.type, fault.message);
  return [
    `t ${field(fault.type)}`,
    ...(fault.code === null || fault.code === '' ? [] : [`c ${field(fault.code)}`]),
    `m ${engines ?? skeletonOf(fault.message)}`,
    ...fault.frames.map(({ file, function: name }) => `f ${field(`${file}#${name ?? ''}`)}`),
  ];
}

/** One line: a line break in a thrown `code` must not forge another line. */
export function field(text: string): string {
  return text.slice(0, MAX_FIELD_LENGTH).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

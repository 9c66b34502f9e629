import { type Fields, fieldsAt, numberOf, objectsIn } from '../../digest/fields.ts';

/** Exceptions whose relations are read, counted from the thrown one; the SDKs send 50 at most. */
const MAX_VALUES = 50;

/** A member's place in its group: `errors[0]` of JavaScript, `exceptions[0]` of Python, `InnerExceptions[0]` of .NET. */
const MEMBER_PLACE = /\[\d+\]$/;
/** What SDKs call the place of a cause; a group may have one beside its members. */
const CAUSE_PLACE = /^_*(?:cause|context|InnerException)_*$/i;
/** Exceptions that failed while the parent was handled (Java): neither its cause nor a member. */
const SUPPRESSED = 'suppressed';

/** Lists the exceptions of a normal event: causes and members first, the thrown one last. */
export function exceptionsOf(event: Fields): readonly Fields[] {
  return objectsIn(fieldsAt(event, 'exception')['values']);
}

/** Lists the frames of an exception, a thread or an event, outermost call first. */
export function framesOf(holder: Fields): readonly Fields[] {
  return objectsIn(fieldsAt(holder, 'stacktrace')['frames']);
}

/** Returns the event with other exceptions. */
export function withExceptions(event: Fields, values: readonly Fields[]): Fields {
  return values.length === 0 ? event : { ...event, exception: { ...fieldsAt(event, 'exception'), values } };
}

/** An exception with its cause and, in a group, its members: the errors that failed side by side. */
export interface RelatedException {
  readonly value: Fields;
  readonly cause: RelatedException | null;
  readonly members: readonly RelatedException[];
}

/**
 * Returns the thrown exception with its relations; null without one. The relations are ids in `mechanism`; the causes of
 * older SDKs, which send none, are the exceptions before, the nearest one last.
 */
export function thrownOf(event: Fields): RelatedException | null {
  const unrelated = new Set(exceptionsOf(event).slice(-MAX_VALUES).toReversed());
  const [thrown] = unrelated;
  return thrown === undefined ? null : related(thrown, unrelated);
}

/** @param unrelated the exceptions without a parent so far, nearest first: each has one parent, also in a hostile event. */
function related(value: Fields, unrelated: Set<Fields>): RelatedException {
  unrelated.delete(value);
  const children = childrenOf(value, unrelated);
  for (const child of children) unrelated.delete(child);
  const members = children.filter((child) => isMember(child, value));
  const cause = children.find((child) => !isMember(child, value));
  return {
    value,
    cause: cause === undefined ? null : related(cause, unrelated),
    members: members.map((member) => related(member, unrelated)),
  };
}

function childrenOf(parent: Fields, unrelated: ReadonlySet<Fields>): readonly Fields[] {
  const { exception_id: named, source } = fieldsAt(parent, 'mechanism');
  const id = numberOf(named);
  const others = [...unrelated].filter((value) => fieldsAt(value, 'mechanism')['type'] !== SUPPRESSED);
  if (Number.isFinite(id))
    return others.filter((value) => numberOf(fieldsAt(value, 'mechanism')['parent_id']) === id);
  if (isPlace(source)) return [];
  const members = others.filter((value) => isMember(value, parent));
  return [...members, ...others.filter((value) => !isMember(value, parent)).slice(0, 1)];
}

/** The parent says that it is a group; older SDKs show it by the member's place only. */
function isMember(child: Fields, parent: Fields): boolean {
  const { source } = fieldsAt(child, 'mechanism');
  if (isPlace(source)) return true;
  const isGroup = fieldsAt(parent, 'mechanism')['is_exception_group'] === true;
  return isGroup && !(typeof source === 'string' && CAUSE_PLACE.test(source));
}

function isPlace(source: unknown): boolean {
  return typeof source === 'string' && MEMBER_PLACE.test(source);
}

/** Returns the exception that names the event: a group with one member is only a wrapper of that one. */
export function namingException(event: Fields): Fields | undefined {
  let named = thrownOf(event);
  while (named?.members.length === 1) named = named.members[0] ?? null;
  return named?.value;
}

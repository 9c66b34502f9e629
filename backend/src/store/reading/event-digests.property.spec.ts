import fc from 'fast-check';
import { canonicalText } from '../../digest/digest.ts';
import { type Fields, isFields } from '../../digest/fields.ts';
import { eventFault } from './event-fault.ts';
import { normalEvent } from './normal-event.ts';

/** Fixed, so that a failure is the same on every machine. */
const RUNS = { seed: 30, numRuns: 200 };

/** An exception group, from which {@link eventOf} makes an event. */
interface Group {
  readonly type: string;
  readonly value?: string;
  readonly functions: readonly string[];
  readonly members: readonly Member[];
}

interface Member {
  readonly type: string;
  readonly value?: string;
  readonly functions: readonly string[];
}

const word = fc.stringMatching(/^[a-z]{4,10}$/);
const functions = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
const anyMember: fc.Arbitrary<Member> = fc.record({ type: word, functions });
const anyGroup: fc.Arbitrary<Group> = fc.record({
  type: word,
  functions,
  members: fc.uniqueArray(anyMember, { minLength: 1, maxLength: 4, selector: ({ type }) => type }),
});
const platform = fc.constantFrom(
  'python',
  'node',
  'java',
  'csharp',
  'php',
  'ruby',
  'go',
  'elixir',
  'native',
  'dart',
  'cocoa',
  'other',
);

function exceptionOf(
  { type, value = 'failed', functions: names }: Member,
  line: number,
  mechanism: Fields,
): Fields {
  const frames = names.map((name, at) => ({
    filename: `shop/${name}.x`,
    function: name,
    lineno: line + at,
    in_app: true,
  }));
  return { type, value, stacktrace: { frames }, mechanism };
}

/** @param line of the first frame. */
function eventOf(group: Group, line = 1): Fields {
  const members = group.members.map((each, at) =>
    exceptionOf(each, line, { source: `exceptions[${at}]`, exception_id: at + 1, parent_id: 0 }),
  );
  const thrown = exceptionOf(group, line, { is_exception_group: true, exception_id: 0 });
  return { exception: { values: [...members.toReversed(), thrown] } };
}

function textOf(event: Fields): string {
  const fault = eventFault(normalEvent(event), { root: '', frames: 'all' });
  return fault === null ? '' : canonicalText(fault, { route: null });
}

function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([name, member]) => [name, reversedKeys(member)]));
}

describe('the digest of an event', () => {
  it('does not depend on the order and number of equal members, on lines, keys and the form of the list', () => {
    fc.assert(
      fc.property(anyGroup, platform, fc.nat(1_000), (thrown, name, line) => {
        const event: Fields = { ...eventOf(thrown), platform: name };
        const { values } = event['exception'] as { readonly values: readonly Fields[] };
        const same = [
          { ...eventOf({ ...thrown, members: thrown.members.toReversed() }), platform: name },
          { ...eventOf({ ...thrown, members: [...thrown.members, ...thrown.members] }), platform: name },
          { ...eventOf(thrown, line), platform: name },
          { ...event, exception: values },
          { platform: name, 'sentry.interfaces.Exception': { values } },
          reversedKeys(event) as Fields,
        ];

        expect(new Set(same.map(textOf))).toEqual(new Set([textOf(event)]));
      }),
      RUNS,
    );
  });

  it('does not depend on the form of one exception and the place of its stack', () => {
    fc.assert(
      fc.property(anyMember, platform, fc.nat(1_000), (thrown, name, line) => {
        const exception = exceptionOf(thrown, line, {});
        const { stacktrace, ...bare } = exception;
        const same: readonly Fields[] = [
          { exception: [exception] },
          { exception },
          { exception: { values: exception } },
          { 'sentry.interfaces.Exception': exception },
          { exception: [bare], stacktrace },
          { exception: [bare], threads: { stacktrace } },
          { exception: bare, threads: [{ id: 1 }, { current: true, stacktrace }] },
          { exception: bare, threads: { values: [{ crashed: true, stacktrace }] } },
        ];

        const event = { exception: { values: [exception] } };
        expect(new Set(same.map((each) => textOf({ ...each, platform: name })))).toEqual(
          new Set([textOf({ ...event, platform: name })]),
        );
      }),
      RUNS,
    );
  });

  it('differs for another function, another exception and other members', () => {
    fc.assert(
      fc.property(anyGroup, platform, (thrown, name) => {
        const [first, ...others] = thrown.members;
        const changed = first && { ...first, functions: [...first.functions, 'otherfunction'] };
        const different = [
          thrown,
          { ...thrown, functions: [...thrown.functions, 'otherfunction'] },
          { ...thrown, type: `${thrown.type}other` },
          { ...thrown, value: 'othertext' },
          { ...thrown, members: others },
          { ...thrown, members: [...thrown.members, { type: 'othermember', functions: ['otherfunction'] }] },
          { ...thrown, members: [...others, ...(changed ? [changed] : [])] },
        ].map((each) => textOf({ ...eventOf(each), platform: name }));

        expect(new Set(different).size).toBe(different.length);
      }),
      RUNS,
    );
  });
});

import type { Fields } from '../../digest/fields.ts';
import { namingException, type RelatedException, thrownOf } from './exceptions.ts';

const linked = (type: string, mechanism: Fields): Fields => ({ type, mechanism });
const group = (type: string, id: number, more: Fields = {}): Fields =>
  linked(type, { is_exception_group: true, exception_id: id, ...more });
const below = (type: string, source: string | undefined, id: number, parent: number): Fields =>
  linked(type, { type: 'chained', source, exception_id: id, parent_id: parent });

/** Writes the relations: `Group[A, B] < Cause`. */
function shape(related: RelatedException | null): string {
  if (related === null) return '';
  const { value, members, cause } = related;
  const inside = members.length === 0 ? '' : `[${members.map(shape).join(', ')}]`;
  return `${String(value['type'])}${inside}${cause === null ? '' : ` < ${shape(cause)}`}`;
}

describe('thrownOf', () => {
  it.each([
    [
      'Python',
      [below('B', 'exceptions[1]', 2, 0), below('A', 'exceptions[0]', 1, 0), group('Group', 0)],
      'Group[A, B]',
    ],
    ['.NET', [below('A', 'InnerExceptions[0]', 1, 0), group('Aggregate', 0)], 'Aggregate[A]'],
    [
      'JavaScript with a cause',
      [below('A', 'errors[0]', 2, 0), below('C', 'cause', 1, 0), group('Aggregate', 0)],
      'Aggregate[A] < C',
    ],
    [
      'Python with a context',
      [below('A', 'exceptions[0]', 2, 0), below('C', '__context__', 1, 0), group('Group', 0)],
      'Group[A] < C',
    ],
    [
      'an SDK without sources',
      [below('B', undefined, 2, 0), below('A', undefined, 1, 0), group('Group', 0)],
      'Group[A, B]',
    ],
    ['an SDK with another name of the field', [below('A', 'failures', 1, 0), group('Group', 0)], 'Group[A]'],
    [
      'a group without a mark',
      [below('A', 'errors[0]', 1, 0), linked('Aggregate', { exception_id: 0 })],
      'Aggregate[A]',
    ],
    [
      'a group in a group',
      [
        below('A', 'exceptions[0]', 2, 1),
        group('Inner', 1, { source: 'exceptions[0]', parent_id: 0 }),
        group('Outer', 0),
      ],
      'Outer[Inner[A]]',
    ],
    [
      'a cause of a member',
      [below('C', '__cause__', 2, 1), below('A', 'exceptions[0]', 1, 0), group('Group', 0)],
      'Group[A < C]',
    ],
    [
      'a group as a cause',
      [
        below('A', 'exceptions[0]', 2, 1),
        group('Group', 1, { source: '__cause__', parent_id: 0 }),
        linked('E', { exception_id: 0 }),
      ],
      'E < Group[A]',
    ],
    [
      'Java with a suppressed exception',
      [
        linked('C', { type: 'chained', exception_id: 2, parent_id: 0 }),
        linked('S', { type: 'suppressed', exception_id: 1, parent_id: 0 }),
        linked('E', { exception_id: 0 }),
      ],
      'E < C',
    ],
    ['older SDKs', [{ type: 'C' }, { type: 'B' }, { type: 'A' }], 'A < B < C'],
    [
      'older SDKs with a group',
      [{ type: 'C' }, linked('M', { source: 'errors[0]' }), { type: 'A' }],
      'A[M] < C',
    ],
    [
      'ids that lead to themselves',
      [below('B', 'cause', 0, 0), linked('A', { exception_id: 0, parent_id: 0 })],
      'A < B',
    ],
    ['one exception', [{ type: 'A' }], 'A'],
    ['nothing', [], ''],
  ])('relates the exceptions of %s', (_name, values, expected) => {
    expect(shape(thrownOf({ exception: { values } }))).toBe(expected);
  });

  it('reads the last 50 exceptions, each once', () => {
    const values = Array.from({ length: 1_000 }, (_, at) =>
      linked(`E${at}`, { exception_id: 0, parent_id: 0 }),
    );
    const count = (related: RelatedException | null): number =>
      related === null
        ? 0
        : 1 + count(related.cause) + related.members.reduce((sum, each) => sum + count(each), 0);

    expect(count(thrownOf({ exception: { values } }))).toBeLessThanOrEqual(50);
  });
});

describe('namingException', () => {
  it.each([
    ['one member', [below('A', 'exceptions[0]', 1, 0), group('Group', 0)], 'A'],
    [
      'one member in one group',
      [
        below('A', 'exceptions[0]', 2, 1),
        group('Inner', 1, { source: 'exceptions[0]', parent_id: 0 }),
        group('Outer', 0),
      ],
      'A',
    ],
    [
      'two members',
      [below('B', 'exceptions[1]', 2, 0), below('A', 'exceptions[0]', 1, 0), group('Group', 0)],
      'Group',
    ],
    ['a cause only', [below('C', '__cause__', 1, 0), group('Group', 0)], 'Group'],
  ])('names a group with %s', (_name, values, type) => {
    expect(namingException({ exception: { values } })?.['type']).toBe(type);
  });
});

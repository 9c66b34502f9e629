import { digestOf, ownKey } from './digest.ts';
import { digestOfFingerprint } from './fingerprint-digest.ts';

const ofKey = (name: string) => ({ key: ownKey(name), shown: name });
const one = ofKey('one');
const other = ofKey('other');

describe('digestOfFingerprint', () => {
  it('joins faults with equal parts', () => {
    expect(digestOfFingerprint(['network'], one)).toEqual(digestOfFingerprint(['network'], other));
  });

  it.each([
    [
      ['pay', 'visa'],
      ['pay', 'amex'],
    ],
    [
      ['pay', 'visa'],
      ['visa', 'pay'],
    ],
    [['pay', 'visa'], ['payvisa']],
    [['a\nb'], ['a', 'b']],
    [['{{ default }}', 'visa'], ['visa']],
    [['x'.repeat(5_000)], [`${'x'.repeat(5_000)}y`]],
  ])('tells %j from %j', (parts, others) => {
    expect(digestOfFingerprint(parts, one).key).not.toBe(digestOfFingerprint(others, one).key);
  });

  it.each([[['{{ default }}', 'visa']], [['{{default}}', 'visa']], [['visa', ' {{  default  }} ']]])(
    'divides a fault by %j',
    (parts) => {
      expect(digestOfFingerprint(parts, one)).not.toEqual(one);
      expect(digestOfFingerprint(parts, one)).not.toEqual(digestOfFingerprint(parts, other));
    },
  );

  it('reads every spelling of the placeholder alike', () => {
    expect(digestOfFingerprint(['{{default}}', 'a'], one)).toEqual(
      digestOfFingerprint(['{{ default }}', 'a'], one),
    );
  });

  it.each([[[]], [['{{ default }}']], [['{{default}}', '{{ default }}']]])(
    'is the one by the rule for %j',
    (parts) => {
      expect(digestOfFingerprint(parts, one)).toBe(one);
    },
  );

  it('is never the digest of a fault or an own one', () => {
    const fault = {
      type: 'a',
      code: null,
      message: '',
      frames: [],
      cause: null,
      members: [],
      ownDigest: null,
    };
    const { key } = digestOfFingerprint(['a'], one);

    expect([digestOf(fault, { route: null }).key, ownKey('a')]).not.toContain(key);
  });
});

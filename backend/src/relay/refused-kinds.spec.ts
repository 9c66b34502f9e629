import { NO_SENDER, traitsOf } from '../sink/queued-envelope.ts';
import type { FailureScope } from '../sink/sink.ts';
import { spooledEnvelope } from '../spool/spool.fixture.ts';
import { type Classified, RefusedKinds } from './refused-kinds.ts';

const MINUTE_MS = 60_000;
const HERE = 'https://shop.example';
const THERE = 'https://www.shop.example';

function item(type: string, origin: string | null = null, address: string | null = null): Classified {
  return spooledEnvelope(`{"type":"${type}"}\n{}`, {
    ...traitsOf([{ type }], true),
    sender: { ...NO_SENDER, origin, address },
  });
}

/** Refuses different envelopes of one kind. */
function refuse(
  kinds: RefusedKinds,
  envelope: Classified,
  times: number,
  scope: FailureScope = 'refusal',
): void {
  for (let at = 0; at < times; at += 1) kinds.refused({ envelope, scope, isRepeated: false });
}

describe('RefusedKinds', () => {
  it.each(['refusal', 'envelope', 'page', 'dsn'] as const)(
    'scope %s: knows a refused kind after five different envelopes',
    (scope) => {
      const kinds = new RefusedKinds();

      refuse(kinds, item('replay_event'), 4, scope);
      kinds.refused({ envelope: item('replay_event'), scope, isRepeated: true });
      const before = kinds.has(item('replay_event'));
      refuse(kinds, item('replay_event'), 1, scope);

      expect([before, kinds.has(item('replay_event'))]).toEqual([false, true]);
    },
  );

  it.each(['sink', 'connection'] as const)('scope %s: says nothing about a kind', (scope) => {
    const kinds = new RefusedKinds();

    refuse(kinds, item('event'), 5, scope);

    expect(kinds.has(item('event'))).toBe(false);
  });

  it('distinguishes item types and origins, until an envelope of the kind is accepted', () => {
    const kinds = new RefusedKinds();
    refuse(kinds, item('event', THERE), 5);
    const others = [item('event', HERE), item('event'), item('session', THERE)];

    expect([item('event', THERE), ...others].map((one) => kinds.has(one))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    kinds.accepted(item('event', THERE), 0);
    expect(kinds.has(item('event', THERE))).toBe(false);
  });

  it('takes the type from the item that gives an envelope its class', () => {
    const kinds = new RefusedKinds();
    const both = spooledEnvelope('{"type":"client_report"}\n{}\n{"type":"event"}\n{}');

    refuse(kinds, both, 5);

    expect([kinds.has(item('event')), kinds.has(item('client_report'))]).toEqual([true, false]);
  });

  it.each([
    ['another kind was accepted after the first refusal', 1_000, true],
    ['that was more than a minute ago', 1_001 + MINUTE_MS, false],
  ])('knows that only this kind is refused: %s', (_, nowMs, expected) => {
    const kinds = new RefusedKinds();
    kinds.accepted(item('event'), 0);
    refuse(kinds, item('log'), 1);
    const before = kinds.isAlone(item('log'), 0);
    kinds.accepted(item('event'), 1_000);

    expect([before, kinds.isAlone(item('log'), nowMs)]).toEqual([false, expected]);
  });

  it.each([
    ['no origin', [null], true],
    ['two origins that were accepted before', [HERE, THERE], true],
    ['one of them', [HERE], false],
    ['one of them and an unknown one', [HERE, 'https://a.example'], false],
    ['unknown origins', Array.from({ length: 1_000 }, (_, at) => `https://${at}.example`), false],
    [
      'no origin, after a thousand unknown ones',
      [...Array.from({ length: 1_000 }, (_, at) => `o${at}`), null],
      true,
    ],
  ])('blames the DSN for rejections of %s: %#', (_, origins: readonly (string | null)[], expected) => {
    const kinds = new RefusedKinds();
    for (const origin of [HERE, THERE]) kinds.accepted(item('event', origin), 0);

    for (const origin of origins) refuse(kinds, item('event', origin), 1, 'dsn');

    expect(kinds.isDsnRejected).toBe(expected);
  });

  it.each([
    [1, 60, 'dsn', true],
    [1, 59, 'dsn', false],
    [60, 1, 'dsn', false],
    [1, 60, 'refusal', false],
  ] as const)(
    '%i and, after another kind, %i of scope %s: all are rejected: %j',
    (before, after, scope, expected) => {
      const kinds = new RefusedKinds();
      const rejected = item('event', HERE, '203.0.113.9');
      const isRejected = () => [rejected, item('session', HERE)].map((one) => kinds.isRejected(one));

      refuse(kinds, rejected, before, scope);
      kinds.accepted(item('session', HERE), 0);
      refuse(kinds, rejected, after, scope);
      const verdicts = isRejected();
      kinds.accepted(rejected, 0);

      expect([verdicts, isRejected()]).toEqual([
        [expected, false],
        [false, false],
      ]);
    },
  );

  it('counts the origins of strangers as one above 256, but none that was accepted before', () => {
    const kinds = new RefusedKinds();
    kinds.accepted(item('event', HERE), 0);
    for (let at = 0; at < 261; at += 1) refuse(kinds, item('event', `https://${at}.example`), 1);

    const unknown = [item('event', 'https://new.example'), item('event', 'https://0.example')];
    expect([...unknown, item('event', HERE)].map((one) => kinds.has(one))).toEqual([true, false, false]);
  });

  it('remembers 512 kinds, those that failed last', () => {
    const kinds = new RefusedKinds();
    for (let at = 0; at < 513; at += 1) {
      kinds.accepted(item('session', `https://${at}.example`), 0);
      refuse(kinds, item('event', `https://${at}.example`), 5);
    }

    expect([0, 1, 512].map((at) => kinds.has(item('event', `https://${at}.example`)))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('counts different envelopes of one network, and different networks of one kind', () => {
    const kinds = new RefusedKinds();
    const of = (host: number | string) => item('event', HERE, `203.0.113.${host}`);
    const refusedOnes = () => [of(1), of(2), of(9), item('event', HERE)].map((one) => kinds.has(one));

    refuse(kinds, of(1), 9);
    const afterOne = refusedOnes();
    for (const host of [2, 3, 4, 5]) refuse(kinds, of(host), 1);

    expect([afterOne, refusedOnes()]).toEqual([
      [true, false, false, false],
      [true, true, true, true],
    ]);
  });

  it('knows the sender of refused envelopes as bad once others were accepted after five of them', () => {
    const kinds = new RefusedKinds();
    const bad = item('event', HERE, '2001:db8:1::1');
    const accept = (address: string) => kinds.accepted(item('event', HERE, address), 0);
    const verdicts: boolean[] = [];
    const steps = [
      () => refuse(kinds, bad, 4),
      () => accept('203.0.113.1'),
      () => refuse(kinds, bad, 1),
      () => accept('203.0.113.1'),
      () => refuse(kinds, bad, 1),
      () => accept('2001:db8:1:ffff::2'),
    ];

    for (const step of steps) {
      step();
      verdicts.push(kinds.isOfBadSender(bad));
    }

    expect(verdicts).toEqual([false, false, false, true, true, false]);
  });

  it('remembers 256 networks, those that failed last', () => {
    const kinds = new RefusedKinds();
    const of = (at: number) => item('event', null, `2001:db8:${at.toString(16)}::1`);
    for (let at = 0; at < 257; at += 1) refuse(kinds, of(at), 5);
    kinds.accepted(item('event'), 0);

    expect([0, 1, 256].map((at) => kinds.has(of(at)))).toEqual([false, true, true]);
  });

  it('keeps one example of a type each hour', () => {
    const kinds = new RefusedKinds();
    const take = (type: string, minute: number) => kinds.takeExample(item(type), minute * MINUTE_MS);

    expect([take('log', 0), take('log', 59), take('session', 59), take('log', 60), take('log', 61)]).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
  });
});

import { applyLimits, withRefused } from './limited-items.ts';

const NOW_MS = 1_000_000;
const EVENT = '{"type":"event"}\n{"message":"é"}\n';
const ATTACHMENT = '{"type":"attachment","length":3}\na\nb\n';
const TRANSACTION = '{"type":"transaction"}\n{"spans":[{},{}]}\n';
const SESSION = '{"type":"session"}\n{}\n';

function limited(...categories: readonly string[]) {
  return [{ categories, untilMs: NOW_MS + 5_000, reason: null }];
}

function verdictOf(items: string, ...categories: readonly string[]) {
  const sendable = applyLimits(Buffer.from(items), limited(...categories), NOW_MS);
  if (sendable.verdict !== 'cut') return sendable;
  return { ...sendable, items: Buffer.from(sendable.items).toString() };
}

describe('applyLimits', () => {
  it('L2: sends a whole envelope if none of its items is limited', () => {
    expect(applyLimits(Buffer.from(EVENT), [], NOW_MS)).toEqual({ verdict: 'whole' });
    expect(verdictOf(EVENT, 'transaction', 'session')).toEqual({ verdict: 'whole' });
  });

  it('ignores a limit that has ended', () => {
    const over = [{ categories: ['error'], untilMs: NOW_MS, reason: null }];

    expect(applyLimits(Buffer.from(EVENT), over, NOW_MS)).toEqual({ verdict: 'whole' });
  });

  it.each([['error'], []])('L2: holds an error under a limit on %j', (...categories) => {
    const sendable = applyLimits(Buffer.from(EVENT + SESSION), limited(...categories.flat()), NOW_MS);

    expect(sendable).toEqual({ verdict: 'hold', untilMs: NOW_MS + 5_000 });
  });

  it('treats `default` as an older name of errors', () => {
    expect(verdictOf(EVENT, 'default')).toEqual({ verdict: 'hold', untilMs: NOW_MS + 5_000 });
  });

  it('L2: holds feedback', () => {
    expect(verdictOf('{"type":"feedback"}\n{}', 'feedback')).toMatchObject({ verdict: 'hold' });
  });

  it('holds a crash of the Unreal Engine, which is an error', () => {
    expect(verdictOf('{"type":"unreal_report"}\n{}', 'error')).toMatchObject({ verdict: 'hold' });
  });

  it.each([
    ['raw_security', 'security'],
    ['nel', 'log_item'],
  ])('L2: drops a limited %s, although the store keeps it', (type, category) => {
    expect(verdictOf(`{"type":"${type}"}\n{}\n`, category)).toEqual({
      verdict: 'cut',
      items: '',
      lost: [{ category, quantity: 1 }],
    });
  });

  it('L2: cuts the limited items and keeps the bytes of the others', () => {
    expect(verdictOf(EVENT + SESSION + ATTACHMENT, 'session')).toEqual({
      verdict: 'cut',
      items: EVENT + ATTACHMENT,
      lost: [{ category: 'session', quantity: 1 }],
    });
  });

  it('L2: drops the attachments of a limited transaction', () => {
    expect(verdictOf(TRANSACTION + ATTACHMENT, 'transaction')).toEqual({
      verdict: 'cut',
      items: '',
      lost: [
        { category: 'transaction', quantity: 1 },
        { category: 'span', quantity: 3 },
        { category: 'attachment', quantity: 1 },
      ],
    });
  });

  it('sends items that cannot be scanned unchanged', () => {
    expect(verdictOf('no items at all', 'error')).toEqual({ verdict: 'whole' });
  });
});

describe('withRefused', () => {
  it.each([
    ['names another category', [['transaction']], [['transaction'], ['error', 'session']]],
    ['names no category', [], [['error', 'session']]],
    ['names one of its categories', [['session']], [['session']]],
    ['limits all categories', [[]], [[]]],
  ])('adds a limit on the refused items if the upstream %s', (_, named, expected) => {
    const limits = named.map((categories) => limited(...categories)[0]).filter((one) => one !== undefined);

    const all = withRefused(limits, Buffer.from(EVENT + SESSION), NOW_MS);

    expect(all.map(({ categories }) => categories)).toEqual(expected);
    expect(all.at(-1)?.untilMs).toBe(named.length === expected.length ? NOW_MS + 5_000 : NOW_MS);
  });
});

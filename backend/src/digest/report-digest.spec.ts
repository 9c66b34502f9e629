import { digestOf } from './digest.ts';
import { digestOfReport, type ReportIdentity } from './report-digest.ts';

const INLINE: ReportIdentity = {
  kind: 'csp-violation',
  subject: 'script-src-elem',
  target: 'inline',
  route: '/orders/<n>',
  source: '/assets/index',
};

describe('digestOfReport', () => {
  it('is the same for ever: people have it on screenshots', () => {
    expect(digestOfReport(INLINE)).toEqual({
      key: '2b17b8a3469783c92011c2cc36169a72c84916487634d9d73a6fd8e1a33b107a',
      shown: '5CBV-H8T6',
    });
  });

  it.each(['kind', 'subject', 'target', 'route', 'source'] as const)(
    'is another one for another %s',
    (name) => {
      expect(digestOfReport({ ...INLINE, [name]: 'other' }).key).not.toBe(digestOfReport(INLINE).key);
    },
  );

  it('takes no line break for the end of a fact', () => {
    const forged = digestOfReport({ ...INLINE, subject: 'a\nb', target: '' });

    expect(forged.key).not.toBe(digestOfReport({ ...INLINE, subject: 'a', target: 'b' }).key);
  });

  it('is never that of an error', () => {
    const fault = {
      type: 'csp-violation',
      code: null,
      message: '',
      frames: [],
      cause: null,
      members: [],
      ownDigest: null,
    };

    expect(digestOf(fault, { route: null }).key).not.toBe(
      digestOfReport({ kind: 'csp-violation', subject: '', target: '', route: '', source: '' }).key,
    );
  });
});

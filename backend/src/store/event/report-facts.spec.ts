import type { Fields } from '../../digest/fields.ts';
import { reportFacts } from './report-facts.ts';

const LEGACY = {
  'document-uri': 'https://shop.example/cart?token=1',
  'violated-directive': "script-src-elem 'self'",
  'effective-directive': 'script-src-elem',
  'blocked-uri': 'https://evil.example/x.js?key=1',
  'source-file': 'https://shop.example/assets/index-ab12CD34.js?v=2',
  'line-number': 3,
  'column-number': 7,
  'status-code': 200,
  'script-sample': 'alert(1)',
  disposition: 'enforce',
};
const BODY = {
  documentURL: LEGACY['document-uri'],
  effectiveDirective: LEGACY['effective-directive'],
  blockedURL: LEGACY['blocked-uri'],
  sourceFile: LEGACY['source-file'],
  lineNumber: 3,
  columnNumber: 7,
  statusCode: 200,
  sample: 'alert(1)',
  disposition: 'enforce',
};

function titleOf(report: Fields): string | null {
  const facts = reportFacts(report);
  return facts === null ? null : `${facts.name}: ${facts.summary}`;
}

function ofType(type: unknown, body: unknown, url: unknown = 'https://shop.example/orders/7?a=b'): Fields {
  return { type, url, user_agent: 'UA', age: 1, body };
}

describe('reportFacts', () => {
  it('reads both forms of a violation as the same', () => {
    const facts = reportFacts({ 'csp-report': LEGACY });

    expect(facts).toEqual(reportFacts(ofType('csp-violation', BODY)));
    expect(facts).toEqual({
      kind: 'csp-violation',
      subject: 'script-src-elem',
      target: 'https://evil.example',
      url: 'https://shop.example/cart?token=1',
      name: 'Content-Security-Policy',
      summary: 'script-src-elem blocked https://evil.example',
      detail: 'alert(1)',
      file: 'https://shop.example/assets/index-ab12CD34.js',
      line: 3,
      column: 7,
      tags: {
        directive: 'script-src-elem',
        blocked: 'https://evil.example/x.js',
        disposition: 'enforce',
        status: 200,
      },
    });
  });

  it.each([
    ['inline code', { ...LEGACY, 'blocked-uri': 'inline' }, 'script-src-elem blocked inline'],
    [
      'a policy on trial',
      { ...LEGACY, disposition: 'report', 'blocked-uri': 'eval' },
      'script-src-elem would block eval',
    ],
    [
      'a browser that tells the whole directive',
      { 'violated-directive': "Img-Src 'self' data:", 'blocked-uri': 'data' },
      'img-src blocked data',
    ],
    [
      'a browser that tells no source',
      { 'violated-directive': 'script-src', 'blocked-uri': '' },
      'script-src violated',
    ],
    ['nothing', {}, 'a directive violated'],
    [
      'nonsense',
      { 'effective-directive': { a: 1 }, 'blocked-uri': [1], 'line-number': {} },
      'a directive violated',
    ],
  ])('describes a violation by %s', (_name, report, expected) => {
    expect(titleOf({ 'csp-report': report })).toBe(`Content-Security-Policy: ${expected}`);
  });

  it.each([
    [
      { type: 'tcp.refused', status_code: 0 },
      'Network error: tcp.refused at https://shop.example/orders/<n>',
    ],
    [
      { type: 'http.error', status_code: 503 },
      'Network error: http.error 503 at https://shop.example/orders/<n>',
    ],
    [{}, 'Network error: unknown at https://shop.example/orders/<n>'],
    [null, 'Network error: unknown at https://shop.example/orders/<n>'],
    [{ type: 'ok', status_code: 200 }, null],
  ])('describes a network error of %j', (body, expected) => {
    expect(titleOf(ofType('network-error', body))).toBe(expected);
  });

  it('describes a network error without a URL', () => {
    expect(titleOf(ofType('network-error', { type: 'dns.failed' }, 7.5))).toBe(
      'Network error: dns.failed at /<n>',
    );
    expect(titleOf(ofType('network-error', { type: 'dns.failed' }, null))).toBe('Network error: dns.failed');
  });

  it.each([
    ['deprecation', { id: 'WebSQL', message: 'gone soon' }, 'Deprecation: WebSQL'],
    ['intervention', { id: 'HeavyAd' }, 'Intervention: HeavyAd'],
    ['permissions-policy-violation', { featureId: 'camera' }, 'Permissions-Policy: camera'],
    ['document-policy-violation', { policyId: 'sync-xhr' }, 'Document-Policy: sync-xhr'],
    [
      'coep',
      { type: 'corp', blockedURL: 'https://b.example/i.png?a=1', disposition: 'reporting' },
      'Cross-Origin-Embedder-Policy: corp would block https://b.example',
    ],
    ['coop', { type: 'navigate-to-document' }, 'Cross-Origin-Opener-Policy: navigate-to-document'],
    [
      'integrity-violation',
      { blockedURL: 'https://b.example/s.js', reportOnly: false },
      'Integrity-Policy: blocked https://b.example',
    ],
    [
      'integrity-violation',
      { blockedURL: 'https://b.example/s.js', reportOnly: true },
      'Integrity-Policy: would block https://b.example',
    ],
    ['from-the-future', null, 'Browser report: from-the-future'],
    ['constructor', { id: 'x' }, 'Browser report: constructor x'],
    [undefined, undefined, 'Browser report: unknown'],
  ])('describes a report of type %s and body %j', (type, body, expected) => {
    expect(titleOf(ofType(type, body))).toBe(expected);
  });

  it('has the browser’s message and the place for a report that is no violation', () => {
    const body = {
      id: 'WebSQL',
      message: 'gone soon',
      sourceFile: 'https://shop.example/a.js',
      lineNumber: 1,
      columnNumber: 2,
    };

    expect(reportFacts(ofType('deprecation', body))).toMatchObject({
      detail: 'gone soon',
      file: 'https://shop.example/a.js',
      line: 1,
      column: 2,
    });
  });
});

import { policyFindings } from './policy-findings.ts';

const ISSUE = {
  digest: '7KQ4-M2XD',
  project: 'https://key@errata.invalid/1',
  address: '7KQ4-M2XD',
  isShared: false,
  events: 3,
  lastSeen: '2026-11-21T03:01:00.000Z',
};
const issueOf = (title: string) => ({ ...ISSUE, title });

describe('policyFindings', () => {
  it.each([
    ['connect-src would block https://api.example', 'connect-src https://api.example'],
    ['connect-src blocked wss://live.example:8443', 'connect-src wss://live.example:8443'],
    ['script-src-elem would block https://cdn.example', 'script-src https://cdn.example'],
    ['style-src-attr would block inline', "style-src 'unsafe-inline'"],
    ['script-src-elem would block inline', null],
    ['script-src-attr blocked inline', null],
    ['script-src blocked inline', null],
    ['script-src would block eval', "script-src 'unsafe-eval'"],
    ['script-src would block wasm-eval', "script-src 'wasm-unsafe-eval'"],
    ['worker-src blocked blob', 'worker-src blob:'],
    ['form-action blocked https://pay.example', 'form-action https://pay.example'],
    ['frame-ancestors would block https://shop.example', null],
    ['img-src would block chrome-extension', null],
  ])('names the line that allows the blocked source: %s', (report, allow) => {
    expect(policyFindings([issueOf(`Content-Security-Policy: ${report}`)], {})).toMatchObject([{ allow }]);
  });

  it('leaves out other issues, and sources that are allowed by now', () => {
    const titles = [
      'TypeError: Content-Security-Policy: img-src blocked https://a.example',
      'Content-Security-Policy: a directive violated',
      'Content-Security-Policy: img-src blocked https://allowed.example',
      'Content-Security-Policy: img-src blocked https://b.example',
    ];

    const findings = policyFindings(titles.map(issueOf), { 'img-src': ['https://allowed.example'] });

    expect(findings).toEqual([
      { ...ISSUE, directive: 'img-src', blocked: 'https://b.example', allow: 'img-src https://b.example' },
    ]);
  });
});

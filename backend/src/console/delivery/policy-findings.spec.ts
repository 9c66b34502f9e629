import type { Fields } from '../../digest/fields.ts';
import { readReport } from '../../store/event/browser-report.ts';
import { eventDigest } from '../../store/event/event-digest.ts';
import { titleOf } from '../../store/event/event-facts.ts';
import { policyFindings } from './policy-findings.ts';

const ISSUE = {
  digest: '7KQ4-M2XD',
  project: 'https://key@errata.invalid/1',
  address: '7KQ4-M2XD',
  isShared: false,
  networks: 2,
  events: 3,
  lastSeen: '2026-11-21T03:01:00.000Z',
};
const ITEM = { type: 'raw_security', payload: Buffer.of(), release: null, environment: null };

/** The issue of a report, as the store makes it of `connect-src would block https://api.example`. */
function reported(text: string) {
  const [directive, verb, ...words] = text.split(' ');
  const report = {
    'document-uri': 'https://shop.example/cart',
    'effective-directive': directive,
    'blocked-uri': words.at(-1) ?? '',
    disposition: verb === 'would' ? 'report' : 'enforce',
  };
  const { event = {}, digest } = readReport({ 'csp-report': report }, ITEM, 0) ?? {};
  return { ...ISSUE, title: titleOf(event, null), key: digest?.key ?? '' };
}

/** The issue of an event, as the store makes it. */
function thrown(event: Fields) {
  const { key } = eventDigest(event, { source: 'tunnel', root: '', frames: 'all' });
  return { ...ISSUE, title: titleOf(event, null), key };
}

describe('policyFindings', () => {
  it.each([
    ['img-src would block https://cdn.example', 'img-src https://cdn.example'],
    ['connect-src would block https://api.example', 'connect-src https://api.example'],
    ['connect-src blocked wss://live.example:8443', 'connect-src wss://live.example:8443'],
    ['style-src-elem would block https://cdn.example', 'style-src https://cdn.example'],
  ])('suggests the line that allows an origin: %s', (report, allow) => {
    expect(policyFindings([reported(report)], {})).toMatchObject([{ allow }]);
  });

  it.each([
    'script-src-elem would block https://evil.example',
    'script-src-attr blocked https://evil.example',
    'script-src blocked https://evil.example',
    'object-src blocked https://evil.example',
    'default-src blocked https://evil.example',
    'worker-src blocked https://evil.example',
    'base-uri blocked https://evil.example',
    'form-action blocked https://evil.example',
    'script-src would block eval',
    'script-src would block wasm-eval',
    'script-src-elem would block inline',
    'style-src-attr would block inline',
    'worker-src blocked blob',
    'img-src would block chrome-extension',
    'frame-ancestors would block https://shop.example',
    'img-src would block https://evil.example;object-src',
    'img-src would block https://evil.example,a',
    'img-src would block https://*.example',
  ])('suggests no line for code, keywords and texts that are no single source: %s', (report) => {
    const [directive, blocked] = [report.split(' ', 1)[0], report.split(' ').at(-1)];

    expect(policyFindings([reported(report)], {})).toMatchObject([{ directive, blocked, allow: null }]);
  });

  it('reads no finding from the title of an event', () => {
    const title = 'would block https://evil.example';
    const issues = [
      thrown({ message: `Content-Security-Policy: connect-src ${title}` }),
      thrown({ message: `Content-Security-Policy: script-src ${title};object-src` }),
      thrown({ exception: { values: [{ type: 'Content-Security-Policy', value: `img-src ${title}` }] } }),
      thrown({ message: `TypeError: Content-Security-Policy: img-src ${title}` }),
    ];

    expect(policyFindings(issues, {})).toEqual([]);
  });

  it('leaves out reports of no source, and sources that are allowed by now', () => {
    const reports = [
      'img-src violated',
      'img-src blocked https://allowed.example',
      'worker-src blocked blob',
      'img-src blocked https://b.example',
    ];
    const allowed = { 'img-src': ['https://allowed.example'], 'worker-src': ['blob:'] };

    const findings = policyFindings(reports.map(reported), allowed);

    expect(findings).toEqual([
      { ...ISSUE, directive: 'img-src', blocked: 'https://b.example', allow: 'img-src https://b.example' },
    ]);
  });
});

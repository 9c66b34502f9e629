import { brokenLinks, missingReferences, unknownNames, withBlock } from './document-faults.ts';

const OPERATIONS = '# Operations\n\n## Way *back*\n\n```sh\n# Not a heading\n```\n\n### ErrataDown\n';
const DOCUMENTS = new Map([['docs/operations.md', OPERATIONS]]);
const exists = (path: string): boolean => ['LICENSE', 'docs/operations.md'].includes(path);

describe('unknownNames', () => {
  const KNOWN = new Set(['ERRATA_DATA_DIR', 'errata_spool_fill']);

  it('accepts known settings and metrics, also with a label, and other words', () => {
    const text = '`ERRATA_DATA_DIR` and `errata_spool_fill{pod="errata-0"}` of an unknown `ERRATA_…` name';

    expect(unknownNames('a.md', text, KNOWN)).toEqual([]);
  });

  it('reports a planted setting and a planted metric, in code blocks, too', () => {
    const text = 'Set `OIDC_URL`.\n```sh\nexport ERRATA_DATA=x # errata_spool\n```\n';

    expect(unknownNames('a.md', text, KNOWN)).toEqual([
      'a.md:1: OIDC_URL is neither a setting nor a metric',
      'a.md:3: ERRATA_DATA is neither a setting nor a metric',
      'a.md:3: errata_spool is neither a setting nor a metric',
    ]);
  });
});

describe('brokenLinks', () => {
  it('accepts files, headings, and links to other hosts', () => {
    const text =
      '[a](#way-back) [b](../LICENSE) [c](operations.md#erratadown) [d](https://errata.example/#no)';

    expect(brokenLinks('docs/operations.md', text, DOCUMENTS, exists)).toEqual([]);
  });

  it.each(['#not-a-heading', 'LICENSE', '../docs/operations.md#down', 'no.md#down'])(
    'reports a planted link to %s',
    (link) => {
      const faults = brokenLinks('docs/operations.md', `[a](${link})`, DOCUMENTS, exists);

      expect(faults).toEqual([`docs/operations.md:1: ${link} does not exist`]);
    },
  );

  it('reports an alert whose runbook has no heading', () => {
    const alerts =
      'annotations:\n  runbook_url: docs/operations.md#erratadown\n  runbook_url: docs/operations.md#erratagone';

    expect(brokenLinks('docker/alerts.yaml', alerts, DOCUMENTS, exists, '')).toEqual([
      'docker/alerts.yaml:3: docs/operations.md#erratagone does not exist',
    ]);
  });
});

describe('missingReferences', () => {
  /** The check reads this file, too, and must not find the planted references. */
  const QUOTE = "'";
  const PAGES = new Map([
    ['docs/protocol.md', '# The protocol\n\n## Browser reports\n\n| E2  | lines |\n| H12 | CORS |\n'],
    ['docs/decisions/004-envelopes.md', '# 4'],
  ]);

  it.each([
    '/** Reads a line (protocol E2, H12). See docs/protocol.md#browser-reports and docs/decisions/004. */',
    "it('E2, H12: reads a line', () => {",
    "const path = '/E9/%E0'; // read in 3.2 ms",
    '/** Section 3.2 of RFC 9112, and https://example.org/protocol.md. */',
  ])('accepts %s', (line) => {
    expect(missingReferences('a.ts', line, PAGES)).toEqual([]);
  });

  it.each([
    ['/** Reads a line (protocol E2–E3). */', 'E3'],
    [' * Stops guessing (threat S5). */', 'S5'],
    ['/** Has a class (protocol 3.2). */', 'protocol 3.2'],
    ["it('E2, H13: reads a line', () => {", 'E2, H13'],
    [`  ])(${QUOTE}protocol 2: of %s', () => {`, 'protocol 2'],
    [`it(${QUOTE}3.7: adds no time', () => {`, '3.7'],
    ['/** See docs/protocol.md#events. */', 'docs/protocol.md#events'],
    ['/** See faults.md. */', 'faults.md'],
    ['// As docs/decisions/005 says.', 'docs/decisions/005'],
  ])('reports a planted reference to a missing place: %s', (line, reference) => {
    const text = line.startsWith(' *') ? `/**\n${line}` : line;

    expect(missingReferences('a.ts', text, PAGES)).toEqual([
      `a.ts:${text.split('\n').length}: ${reference} does not exist`,
    ]);
  });
});

describe('withBlock', () => {
  const README = '# Errata\n\n```yaml\nno: 1\n```\n\n## Kubernetes\n\n```yaml\nold: 1\n```\n\nText.\n';

  it('replaces the first block below the heading', () => {
    const changed = withBlock(README, '## Kubernetes', 'new: 2\nb: 3\n');

    expect(changed).toBe(README.replace('old: 1\n', 'new: 2\nb: 3\n'));
    expect(withBlock(changed, '## Kubernetes', 'new: 2\nb: 3\n')).toBe(changed);
  });

  it.each(['## Docker', '## Text', '## Last'])('refuses a document without the block %s', (heading) => {
    const text = `${README}\n## Last\n\nText.\n`;

    expect(() => withBlock(text, heading, '')).toThrow(`no YAML block below "${heading}"`);
  });
});

import { brokenLinks, unknownNames, withBlock } from './document-faults.ts';

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

  it.each(['[a](#not-a-heading)', '[a](LICENSE)', '[a](../docs/operations.md#down)', '[a](no.md#down)'])(
    'reports the planted link %s',
    (text) => {
      const [, link = ''] = /\((.*)\)/.exec(text) ?? [];

      const faults = brokenLinks('docs/operations.md', text, DOCUMENTS, exists);

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

describe('withBlock', () => {
  const README = '# Errata\n\n```yaml\nno: 1\n```\n\n## Kubernetes\n\n```yaml\nold: 1\n```\n\nText.\n';

  it('replaces the first block below the heading', () => {
    const changed = withBlock(README, '## Kubernetes', 'new: 2\nb: 3\n');

    expect(changed).toBe(README.replace('old: 1\n', 'new: 2\nb: 3\n'));
    expect(withBlock(changed, '## Kubernetes', 'new: 2\nb: 3\n')).toBe(changed);
  });

  it.each(['## Docker', '## Text'])('refuses a document without the heading %s', (heading) => {
    expect(() => withBlock(README, heading, '')).toThrow(`no YAML block below "${heading}"`);
  });

  it('refuses a heading without a block', () => {
    expect(() => withBlock('# Errata\n\n## Kubernetes\n\nText.\n', '## Kubernetes', '')).toThrow(
      'no YAML block below "## Kubernetes"',
    );
  });
});

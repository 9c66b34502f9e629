import { linesOf, outcomeOf, type Results } from './report.ts';

const GOOD: Results = {
  manifests: { roots: 7, objects: 50, findings: [] },
  chart: { renderings: [{ root: 'example', differences: [] }], findings: [] },
  alerts: [{ alert: 'ErrataDown', problem: null }],
  trials: [{ fault: 'image: latest', isFound: true }],
  skips: [],
};

describe('the report of make k8s', () => {
  it('ends with the totals', () => {
    expect(linesOf(GOOD)).toEqual([
      '7 roots, 50 objects, 0 findings',
      'chart: 1 of 1 renderings equal',
      '1 of 1 planted faults found',
      '1 of 1 alerts fire',
    ]);
    expect(outcomeOf(GOOD)).toMatchObject({ passed: 10, failed: 0, skips: [] });
  });

  it('fails for a finding, a chart that differs, a planted fault that was not found, and an alert that does not fire', () => {
    const bad: Results = {
      manifests: { roots: 7, objects: 50, findings: ['example: image: no version'] },
      chart: {
        renderings: [
          { root: 'overlays/single', differences: [] },
          { root: 'example', differences: ['Service/errata/kind: 1 in the manifests, 2 in the chart'] },
        ],
        findings: ['helm lint: no version'],
      },
      alerts: [{ alert: 'ErrataDown', problem: 'got: []' }],
      trials: [{ fault: 'image: latest', isFound: false }],
      skips: [],
    };

    expect(linesOf(bad)).toEqual([
      'finding: example: image: no version',
      'chart: helm lint: no version',
      'chart: example: Service/errata/kind: 1 in the manifests, 2 in the chart',
      'planted fault not found: image: latest',
      'ErrataDown: got: []',
      '7 roots, 50 objects, 1 findings',
      'chart: 1 of 2 renderings equal',
      '0 of 1 planted faults found',
      '0 of 1 alerts fire',
    ]);
    expect(outcomeOf(bad)).toMatchObject({
      failed: 5,
      failures: [
        { name: 'finding', message: 'example: image: no version', alone: null },
        { name: 'chart', message: 'helm lint: no version' },
        {
          name: 'chart: example',
          message: 'Service/errata/kind: 1 in the manifests, 2 in the chart',
        },
        { name: 'planted fault not found', message: 'image: latest' },
        { name: 'ErrataDown', message: 'got: []' },
      ],
    });
  });

  it('names steps that did not run, and counts them as skipped', () => {
    const skips = ['manifests: install kubectl', 'alerts: install promtool'];
    const nothing = { manifests: null, chart: null, alerts: null, trials: [], skips };

    expect(linesOf(nothing)).toEqual([
      'SKIPPED manifests: install kubectl',
      'SKIPPED alerts: install promtool',
    ]);
    expect(outcomeOf(nothing)).toMatchObject({ passed: 0, failed: 0, skips });
  });
});

import { linesOf, outcomeOf, type Part, trialOf } from './report.ts';

const PARTS: readonly Part[] = [
  {
    total: 'roots keep all rules',
    checks: [
      { name: 'overlays/single', problems: [] },
      { name: 'example', problems: ['image: no version', 'settings: ERRATA_A is no setting'] },
    ],
  },
  { total: 'planted faults found', checks: [trialOf('image: latest', false), trialOf('replicas: 2', true)] },
];

describe('the report of make k8s', () => {
  it('prints problems and steps that did not run, and ends with the totals', () => {
    expect(linesOf(PARTS, ['alerts: install promtool'])).toEqual([
      'example: image: no version',
      'example: settings: ERRATA_A is no setting',
      'planted fault image: latest: not found',
      'SKIPPED alerts: install promtool',
      '1 of 2 roots keep all rules',
      '1 of 2 planted faults found',
    ]);
  });

  it('counts each check as a test', () => {
    expect(outcomeOf(PARTS, ['alerts: install promtool'])).toEqual({
      passed: 2,
      failed: 2,
      skips: ['alerts: install promtool'],
      failures: [
        {
          name: 'example',
          message: 'image: no version\nsettings: ERRATA_A is no setting',
          log: '',
          alone: null,
        },
        { name: 'planted fault image: latest', message: 'not found', log: '', alone: null },
      ],
      retried: [],
    });
  });
});

import type { Outcome } from '../../.ci/test-reports.ts';
import type { ChartResult } from './chart/check-chart.ts';
import type { AlertResult } from './check-alerts.ts';
import type { Trial } from './plant.ts';

export interface Results {
  /** Null: they were not rendered. */
  readonly manifests: {
    readonly roots: number;
    readonly objects: number;
    readonly findings: readonly string[];
  } | null;
  /** Null: it was not rendered. */
  readonly chart: Omit<ChartResult, 'trials'> | null;
  /** Null: they were not tested. */
  readonly alerts: readonly AlertResult[] | null;
  readonly trials: readonly Trial[];
  /** Steps that did not run, and packages to install for them. */
  readonly skips: readonly string[];
}

/** Lines for a terminal: problems first, the totals last. */
export function linesOf(results: Results): readonly string[] {
  const { manifests, chart, alerts, trials, skips } = results;
  return [
    ...problemsOf(results).map(({ name, message }) => `${name}: ${message}`),
    ...skips.map((skip) => `SKIPPED ${skip}`),
    ...(manifests === null
      ? []
      : [`${manifests.roots} roots, ${manifests.objects} objects, ${manifests.findings.length} findings`]),
    ...(chart === null ? [] : [`chart: ${equalOnes(chart)} of ${chart.renderings.length} renderings equal`]),
    ...(trials.length === 0
      ? []
      : [`${trials.filter(({ isFound }) => isFound).length} of ${trials.length} planted faults found`]),
    ...(alerts === null
      ? []
      : [`${alerts.filter(({ problem }) => problem === null).length} of ${alerts.length} alerts fire`]),
  ];
}

const equalOnes = ({ renderings }: Pick<ChartResult, 'renderings'>): number =>
  renderings.filter(({ differences }) => differences.length === 0).length;

/** The same for `make test`. Each root, each rendering of the chart, each planted fault and each alert counts as one test. */
export function outcomeOf(results: Results): Outcome {
  const { manifests, chart, alerts, trials, skips } = results;
  const problems = problemsOf(results);
  const tests =
    (manifests?.roots ?? 0) + (chart?.renderings.length ?? 0) + (alerts?.length ?? 0) + trials.length;
  return {
    passed: Math.max(0, tests - problems.length),
    failed: problems.length,
    skips,
    failures: problems.map((problem) => ({ ...problem, log: '', alone: null })),
    retried: [],
  };
}

function problemsOf({
  manifests,
  chart,
  alerts,
  trials,
}: Results): readonly { readonly name: string; readonly message: string }[] {
  return [
    ...(manifests?.findings ?? []).map((message) => ({ name: 'finding', message })),
    ...(chart?.findings ?? []).map((message) => ({ name: 'chart', message })),
    ...(chart?.renderings ?? []).flatMap(({ root, differences }) =>
      differences.map((message) => ({ name: `chart: ${root}`, message })),
    ),
    ...trials
      .filter(({ isFound }) => !isFound)
      .map(({ fault }) => ({ name: 'planted fault not found', message: fault })),
    ...(alerts ?? []).flatMap(({ alert, problem }) =>
      problem === null ? [] : [{ name: alert, message: problem }],
    ),
  ];
}

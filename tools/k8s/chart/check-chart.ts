import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fieldsOf, type KubernetesObject, type Root, titleOf } from '../manifest.ts';
import { type Check, type Result, trialOf } from '../report.ts';
import { version } from '../rules/promises.ts';
import { labels, references, selectors } from '../rules/references.ts';
import { run } from '../run.ts';
import { CHART, renderChart, TEMPLATE, withEdits } from './chart.ts';
import { ALL, FAULTS, LINT_FAULT, REFUSED, ROOTS, set, VALUES } from './chart-cases.ts';
import { differences, linesOf } from './differences.ts';
import { packageChart } from './package-chart.ts';

/** Compares the chart with all roots, and proves by planted faults that a difference and a wrong value are found. */
export async function checkChart(helm: string, roots: readonly Root[]): Promise<Result> {
  const [checks, planted, lint, refused] = await Promise.all([
    checksOf(helm, CHART, roots),
    withEdits(FAULTS, (chart) => checksOf(helm, chart, roots)),
    withEdits([LINT_FAULT], (chart) => lintFaults(helm, chart)),
    Promise.all(REFUSED.map(([args, words]) => tryRefused(helm, args, words))),
  ]);
  const found = planted.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`));
  const edits = FAULTS.map(({ file, from, to, finding }) =>
    trialOf(
      `chart: ${file}: "${from}" becomes "${to}"`,
      found.some((line) => line.includes(finding)),
    ),
  );
  return {
    part: {
      total: 'checks of the chart pass',
      checks: [
        ...checks,
        { name: 'chart: helm lint', problems: await lintFaults(helm, CHART) },
        { name: 'chart: package', problems: await packageFaults(helm) },
      ],
    },
    trials: [...edits, trialOf('chart: helm lint', lint.length > 0), ...refused.flat()],
  };
}

async function checksOf(helm: string, chart: string, roots: readonly Root[]): Promise<readonly Check[]> {
  const renderings = roots.map(async (root) => ({
    name: `chart: ${root.name}`,
    problems: await compare(helm, chart, root),
  }));
  return [
    ...(await Promise.all(renderings)),
    { name: 'chart: versions', problems: versionFaults(chart) },
    { name: 'chart: values', problems: await unusedValues(helm, chart) },
    { name: 'chart: release shop', problems: await shopFaults(helm, chart) },
  ];
}

async function lintFaults(helm: string, chart: string): Promise<readonly string[]> {
  const lint = await run(helm, ['lint', '--strict', '.'], chart);
  return lint.status === 0 ? [] : [lint.output.trim()];
}

async function compare(helm: string, chart: string, { name, objects }: Root): Promise<readonly string[]> {
  const args = ROOTS[name];
  if (args === undefined) return ['no values in chart-cases.ts'];
  return differences(objects.map(forHelm), await renderChart(helm, chart, args)).filter(
    (line) => !/\/metadata\/labels\/(helm\.sh\/chart|app\.kubernetes\.io\/(version|managed-by)): /.test(line),
  );
}

/**
 * What differs by nature, beside three labels: the namespace is an argument of `helm install`, and Helm deletes a ConfigMap
 * that the next revision does not have, as `kubectl apply` does not.
 */
const forHelm = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: Object.assign({}, object.metadata, {
    namespace: undefined,
    ...(object.kind === 'ConfigMap' ? { annotations: { 'helm.sh/resource-policy': 'keep' } } : {}),
  }),
});

function versionFaults(chart: string): readonly string[] {
  const versions = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as Readonly<Record<string, string>>;
  return ['version', 'appVersion']
    .filter((name) => versions[name] !== version)
    .map((name) => `${name} is not ${version}, the version of package.json`);
}

async function unusedValues(helm: string, chart: string): Promise<readonly string[]> {
  const values = set(...VALUES.map(([value, text]) => `${value}=${text}`));
  const lines = linesOf(await renderChart(helm, chart, [...ALL, ...values]));
  return VALUES.filter(([, text, path]) => !lines.has(`${path}: "${text}"`)).map(
    ([value, text, path]) => `${value} ${text} is not at ${path}`,
  );
}

/** A release has names of its own, refers to its own objects, and selects its own pods. */
async function shopFaults(helm: string, chart: string): Promise<readonly string[]> {
  const objects = await renderChart(helm, chart, ALL, 'shop');
  const root: Root = { name: 'shop', documents: [], objects };
  const instances = [...fieldsOf(objects)].filter(([path]) => path.endsWith('/app.kubernetes.io/instance'));
  return [
    ...objects.map(titleOf).filter((title) => !title.includes('/shop-errata')),
    ...instances.filter(([, text]) => text !== '"shop"').map(([path]) => path),
    ...[labels, references, selectors].flatMap((rule) => rule(root)),
  ];
}

/** A release packages the chart with the digest of its image. */
async function packageFaults(helm: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'errata-package-'));
  try {
    await packageChart(helm, `registry.example/errata@sha256:${'0'.repeat(64)}`, folder);
    return [];
  } catch (error) {
    return [String(error)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function tryRefused(
  helm: string,
  args: readonly string[],
  words: readonly string[],
): Promise<readonly Check[]> {
  const { status, output } = await run(helm, [...TEMPLATE, 'errata', '.', ...args], CHART);
  const reasons = output.split('\n').filter((line) => /^\s*- |^Error: /.test(line));
  return words.map((word) =>
    trialOf(
      `chart: ${args.join(' ')}: ${word}`,
      status !== 0 && reasons.some((line) => new RegExp(`\\b${word}\\b`).test(line)),
    ),
  );
}

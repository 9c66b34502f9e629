import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { KubernetesObject, Root } from '../manifest.ts';
import type { Trial } from '../plant.ts';
import { run } from '../run.ts';
import { CHART, type Edit, renderChart, TEMPLATE, withEdit } from './chart.ts';
import { ALL, FAULTS, REFUSED, ROOTS, set, SHARED, UNEQUAL, VALUES } from './chart-cases.ts';
import { differences, leavesOf } from './differences.ts';
import { packageChart } from './package-chart.ts';

const PACKAGE = join(import.meta.dirname, '..', '..', '..', 'package.json');

export interface ChartResult {
  /** What the chart renders for each root. Without differences the objects are equal. */
  readonly renderings: readonly { readonly root: string; readonly differences: readonly string[] }[];
  /** Findings in the chart itself. */
  readonly findings: readonly string[];
  readonly trials: readonly Trial[];
}

/** Compares the chart with all roots, and proves by planted faults that a difference and a wrong value are found. */
export async function checkChart(helm: string, roots: readonly Root[]): Promise<ChartResult> {
  const renderings = await Promise.all(
    roots.map(async (root) => ({ root: root.name, differences: await compare(helm, CHART, root) })),
  );
  const findings = [...(await faultsOf(helm, CHART)), ...(await packageFaults(helm))];
  return { renderings, findings, trials: await tryFaults(helm, roots) };
}

async function compare(helm: string, chart: string, { name, objects }: Root): Promise<readonly string[]> {
  const args = ROOTS[name];
  if (args === undefined) return ['no values in chart-cases.ts'];
  return differences(objects.map(forHelm), await renderChart(helm, chart, args));
}

/**
 * What differs by nature: the namespace is an argument of `helm install`, and Helm deletes a ConfigMap that the next
 * revision does not have, as `kubectl apply` does not.
 */
const forHelm = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: Object.assign({}, object.metadata, {
    namespace: undefined,
    ...(object.kind === 'ConfigMap' ? { annotations: { 'helm.sh/resource-policy': 'keep' } } : {}),
  }),
});

async function faultsOf(helm: string, chart: string): Promise<readonly string[]> {
  const lint = await run(helm, ['lint', '--strict', '.'], chart);
  return lint.status === 0
    ? [...versionFaults(chart), ...(await unusedValues(helm, chart)), ...(await sharedNames(helm, chart))]
    : [`helm lint: ${lint.output.trim()}`];
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

function versionFaults(chart: string): readonly string[] {
  const { version: expected } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };
  const versions = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as Readonly<Record<string, string>>;
  return ['version', 'appVersion']
    .filter((name) => versions[name] !== expected)
    .map((name) => `Chart.yaml: ${name} is not ${expected}, the version of package.json`);
}

async function unusedValues(helm: string, chart: string): Promise<readonly string[]> {
  const values = set(...VALUES.map(([value, text]) => `${value}=${text}`));
  const leaves = leavesOf(await renderChart(helm, chart, [...ALL, ...values]));
  return VALUES.filter(([, text, path]) => leaves.get(path) !== text).map(
    ([value, text, path]) => `${value} ${text}: ${path} is ${String(leaves.get(path))}`,
  );
}

/** A release selects the pods, and refers to the objects, of its own only. */
async function sharedNames(helm: string, chart: string): Promise<readonly string[]> {
  const [objects, others] = await Promise.all([
    renderChart(helm, chart, ALL, 'errata'),
    renderChart(helm, chart, ALL, 'shop'),
  ]);
  const names = new Set(objects.map(({ metadata }) => metadata.name));
  const isShared = (path: string): boolean => SHARED.some((end) => path.endsWith(end));
  return [...leavesOf(others)].flatMap(([path, value]) =>
    typeof value === 'string' && !isShared(path) && (names.has(value) || value.includes('data-errata-'))
      ? [`release shop: ${path} is ${value}, which belongs to a release errata`]
      : [],
  );
}

async function tryFaults(helm: string, roots: readonly Root[]): Promise<readonly Trial[]> {
  const textOf = ({ file, from, to }: Edit): string => `chart: ${file}: "${from}" becomes "${to}"`;
  const isRefused = /values don't meet the specifications of the schema|incompatible with Kubernetes/;
  const refused = REFUSED.map(async (args) => {
    const { status, output } = await run(helm, [...TEMPLATE, 'errata', '.', ...args], CHART);
    return { fault: `chart: ${args.join(' ')}`, isFound: status !== 0 && isRefused.test(output) };
  });
  const unequal = UNEQUAL.map(async (edit) => {
    const root = roots.find(({ name }) => name === edit.root);
    if (root === undefined) throw new Error(`there is no root ${edit.root}`);
    const found = await withEdit(edit, (chart) => compare(helm, chart, root));
    return { fault: textOf(edit), isFound: found.length > 0 };
  });
  const faulty = FAULTS.map(async (edit) => {
    const found = await withEdit(edit, (chart) => faultsOf(helm, chart));
    return { fault: textOf(edit), isFound: found.length > 0 };
  });
  return Promise.all([...refused, ...unequal, ...faulty]);
}

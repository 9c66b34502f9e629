import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fieldsOf, kindFieldsOf, type KubernetesObject, type Root, titleOf } from '../manifest.ts';
import { type Check, type Result, trialOf } from '../report.ts';
import { version } from '../rules/promises.ts';
import { labels, references, selectors } from '../rules/references.ts';
import { schema } from '../rules/schema.ts';
import { inFolder, run } from '../run.ts';
import { CHART, renderChart, TEMPLATE, withEdits } from './chart.ts';
import { ABSENT, ALL, FAULTS, LINT_FAULT, REFUSED, ROOTS, set, VALUES } from './chart-cases.ts';
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
    { name: 'chart: values', problems: await valueFaults(helm, chart, chart === CHART ? VALUES : []) },
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
  const [expected, actual] = [objects.map(forHelm), await renderChart(helm, chart, args)].map(
    (each) => new Set([...fieldsOf(each)].map(([path, text]) => `${path}: ${text}`).filter(isCompared)),
  );
  return [
    ...[...(expected ?? [])].filter((line) => !actual?.has(line)).map((line) => `the chart lacks ${line}`),
    ...[...(actual ?? [])].filter((line) => !expected?.has(line)).map((line) => `the manifests lack ${line}`),
  ];
}

const isCompared = (line: string): boolean =>
  !/\/metadata\/labels\/(helm\.sh\/chart|app\.kubernetes\.io\/(version|managed-by)): /.test(line);

/**
 * What differs by nature, beside three labels: the namespace is an argument of `helm install`, and Helm deletes a ConfigMap
 * that the next revision does not have, as `kubectl apply` does not.
 */
const forHelm = (object: KubernetesObject): KubernetesObject => {
  const { annotations, ...metadata } = object.metadata;
  const kept = { ...annotations, 'helm.sh/resource-policy': 'keep' };
  return {
    ...object,
    metadata: {
      ...metadata,
      namespace: undefined,
      annotations: object.kind === 'ConfigMap' ? kept : annotations,
    },
  };
};

function versionFaults(chart: string): readonly string[] {
  const versions = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as Readonly<Record<string, string>>;
  return ['version', 'appVersion']
    .filter((name) => versions[name] !== version)
    .map((name) => `${name} is not ${version}, the version of package.json`);
}

/** Renders the chart with each value alone, with all of them, and without the sections. @param alone the values */
async function valueFaults(helm: string, chart: string, alone: typeof VALUES): Promise<readonly string[]> {
  const render = (...values: readonly string[]): Promise<readonly KubernetesObject[]> =>
    renderChart(helm, chart, [...ALL, ...set(...values)]);
  const all = render(...VALUES.map(([value]) => value));
  const misplaced = [...alone, ...VALUES].map(async ([value, ...paths], index) => {
    const fields = kindFieldsOf(await (index < alone.length ? render(value) : all));
    const wanted = paths.map((path) => `${path}: "${value.split('=').at(-1)}"`);
    return wanted.filter((field) => !fields.includes(field)).map((field) => `${value} makes no ${field}`);
  });
  const present = ABSENT.map(async ([value, path]) =>
    kindFieldsOf(await render(value)).filter((field) => field.startsWith(path)),
  );
  const names = Object.entries(parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as object);
  const nulls = names.filter(([, value]) => typeof value === 'object').map(([name]) => `${name}=null`);
  const cases = [...VALUES, ...ABSENT, ...Object.values(ROOTS)].flat();
  return [
    ...(await Promise.all([...misplaced, ...present])).flat(),
    ...schema({ name: 'all values', documents: [], objects: await all }),
    ...(await renderChart(helm, chart, set(...nulls)).then(
      () => [],
      (error: unknown) => [`without sections: ${String(error)}`],
    )),
    ...names
      .filter(([name]) => !cases.some((text) => text.startsWith(name)))
      .map(([name]) => `${name} has no case`),
  ];
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
function packageFaults(helm: string): Promise<readonly string[]> {
  const image = `registry.example/errata@sha256:${'0'.repeat(64)}`;
  return inFolder((folder) => packageChart(helm, image, folder)).then(
    () => [],
    (error: unknown) => [String(error)],
  );
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

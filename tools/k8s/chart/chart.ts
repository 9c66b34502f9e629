import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../manifest.ts';
import { inFolder, run } from '../run.ts';

export const CHART = join(import.meta.dirname, '..', '..', '..', 'docker', 'chart');

/** The oldest version that the chart and the manifests allow. */
const KUBERNETES = '1.30.0';

/** The start of `helm template`; its arguments may name files of the chart. */
export const TEMPLATE = ['template', '--kube-version', KUBERNETES];

/** Renders a chart. @throws Error with Helm's message. */
export async function renderChart(
  helm: string,
  chart: string,
  args: readonly string[],
  release = 'errata',
): Promise<readonly KubernetesObject[]> {
  const { status, stdout, output } = await run(helm, [...TEMPLATE, release, '.', ...args], chart);
  if (status !== 0) throw new Error(`helm template: ${output.trim()}`);
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
}

/** One change of the text of a file in the chart. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Gives a changed copy of the chart to `use`. @throws Error when a file does not contain the text. */
export function withEdits<T>(edits: readonly Edit[], use: (chart: string) => Promise<T>): Promise<T> {
  return inFolder((copy) => {
    cpSync(CHART, copy, { recursive: true });
    for (const { file, from, to } of edits) {
      const text = readFileSync(join(copy, file), 'utf8');
      if (!text.includes(from)) throw new Error(`${file} does not contain "${from}"`);
      writeFileSync(
        join(copy, file),
        text.replace(from, () => to),
      );
    }
    return use(copy);
  });
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { run } from '../run.ts';
import { CHART, TEMPLATE, withEdits } from './chart.ts';

/**
 * Packages the chart for a released image into `folder`, as errata-<version>.tgz, and returns the path.
 * @param image name@sha256:digest
 * @param folder absolute path
 * @throws Error with Helm's message
 */
export async function packageChart(helm: string, image: string, folder: string): Promise<string> {
  const placeholder = valueOf('values.yaml', 'image');
  const path = join(folder, `errata-${valueOf('Chart.yaml', 'version')}.tgz`);
  const edit = { file: 'values.yaml', from: `image: ${placeholder}`, to: `image: ${image}` };
  await withEdits([edit], async (chart) => {
    const { status, output } = await run(helm, ['package', '.', '--destination', folder], chart);
    if (status !== 0) throw new Error(`helm package: ${output.trim()}`);
  });
  const { stdout } = await run(helm, [...TEMPLATE, 'errata', path]);
  if (!stdout.includes(` image: ${image}\n`)) throw new Error(`${path}: no container has the image`);
  return path;
}

const valueOf = (file: string, key: string): string =>
  (parse(readFileSync(join(CHART, file), 'utf8')) as Readonly<Record<string, string>>)[key] ?? '';

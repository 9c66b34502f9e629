import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS } from '../backend/src/config/settings.ts';
import { brokenLinks, missingReferences, unknownNames, withBlock } from './document-faults.ts';
import { seriesAtStart } from './k8s/series-at-start.ts';
import { trackedFiles } from './tracked-files.ts';

/**
 * Writes docs/configuration.md from the settings, and README's example and the chart's alerts from the manifests (a copy: Flux
 * reads no symbolic links). `--check` fails when a document differs from its source, names an unknown setting or metric, or has
 * a broken link, and when a source file refers to a row, a section or a document that does not exist.
 */

const EXAMPLE = 'docker/kubernetes/example/kustomization.yaml';
const ALERTS = 'docker/kubernetes/components/monitoring/alerts.yaml';
const read = (path: string): string => readFileSync(path, 'utf8');

function row(setting: (typeof SETTINGS)[keyof typeof SETTINGS]): string {
  const name = setting.isSecret ? `\`${setting.name}\`, \`${setting.name}_FILE\`` : `\`${setting.name}\``;
  const fallback = setting.default === null || setting.default === '' ? 'none' : `\`${setting.default}\``;
  return `| ${name} | ${fallback} | ${setting.meaning} |`;
}

const settings = Object.values(SETTINGS);
const HEAD = '| Setting | Default | Meaning |\n| --- | --- | --- |';

const text = `# Settings

Generated from \`backend/src/config/\` by \`make format\`; edit there.

All settings are environment variables. The start prints one line for each invalid setting and exits with 1; an unknown
\`ERRATA_…\` name is an error too, so that a typo is found. Names with a second name \`…_FILE\` are secrets: the second name
is the path of a file that holds the value. Write sizes as \`512MiB\`, durations as \`30s\` or \`7d\`, switches as \`on\` or
\`off\`. Quotes around a value, as \`docker run --env-file\` keeps them, and blanks around a text are errors.

${HEAD}
${settings
  .filter(({ isAdvanced }) => !isAdvanced)
  .map(row)
  .join('\n')}

## Advanced

The tests make these short. The defaults suit production.

${HEAD}
${settings
  .filter(({ isAdvanced }) => isAdvanced)
  .map(row)
  .join('\n')}
`;

const GENERATED = new Map([
  ['docs/configuration.md', text],
  ['README.md', withBlock(read('README.md'), '## Kubernetes', read(EXAMPLE))],
  ['docker/chart/alerts.yaml', read(ALERTS)],
]);

async function faults(): Promise<readonly string[]> {
  const series = await seriesAtStart();
  const known = new Set([
    ...settings.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
    ...series.map(({ name }) => name),
  ]);
  const files = trackedFiles('*.md');
  const documents = new Map(files.map((path) => [path, read(path)]));
  return [
    ...[...GENERATED]
      .filter(([path, content]) => read(path) !== content)
      .map(([path]) => `${path} differs from its source: run make format.`),
    ...[...documents].flatMap(([file, content]) => [
      ...unknownNames(file, content, known),
      ...brokenLinks(file, content, documents, existsSync),
    ]),
    ...trackedFiles('*.ts', '*.tsx', '*.css', '*.js').flatMap((file) =>
      missingReferences(file, read(file), documents),
    ),
    // The links of alerts start at the root of the project.
    ...brokenLinks(ALERTS, read(ALERTS), documents, existsSync, ''),
  ];
}

if (process.argv.includes('--check')) {
  const lines = await faults();
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exitCode = lines.length > 0 ? 1 : 0;
} else {
  for (const [path, content] of GENERATED) writeFileSync(path, content);
}

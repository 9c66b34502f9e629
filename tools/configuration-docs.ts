import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../backend/src/config/settings.ts';

/** Writes docs/configuration.md from the settings; `--check` fails when the file differs from them. */

const path = join(import.meta.dirname, '..', 'docs', 'configuration.md');

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
\`off\`.

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

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write('docs/configuration.md differs from the settings: run make format.\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(path, text);
}

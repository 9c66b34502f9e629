import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../backend/src/config/settings.ts';

/** Writes docs/configuration.md from the settings themselves; `--check` fails when the file is not what they say. */

const path = join(import.meta.dirname, '..', 'docs', 'configuration.md');

function row(setting: (typeof SETTINGS)[keyof typeof SETTINGS]): string {
  const name = setting.isSecret ? `\`${setting.name}\`, \`${setting.name}_FILE\`` : `\`${setting.name}\``;
  const fallback = setting.default === null || setting.default === '' ? 'none' : `\`${setting.default}\``;
  return `| ${name} | ${fallback} | ${setting.meaning} |`;
}

const text = `# Settings

Made from \`backend/src/config/settings.ts\` by \`make format\`; edit there.

All settings are environment variables. At start every fault is listed at once and the process exits with 1; an
\`ERRATA_…\` name that does not exist is a fault, so that a typo cannot pass. Names with a \`_FILE\` twin are secrets: the
twin names a file that holds the value. Sizes are written \`512MiB\`, durations \`30s\` or \`7d\`, switches \`on\` or \`off\`.

| Setting | Default | Meaning |
| --- | --- | --- |
${Object.values(SETTINGS).map(row).join('\n')}
`;

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write('docs/configuration.md is not what the settings say; run `make format`.\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(path, text);
}

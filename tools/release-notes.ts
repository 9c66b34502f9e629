import { readFileSync } from 'node:fs';

/**
 * Prints the section of CHANGELOG.md for a tag: `node tools/release-notes.ts v1.2.3`. Fails where the tag is not the
 * version of package.json, or where the section is missing or empty.
 */

/** Returns the section of a version without its heading. @throws Error in one line, for the log of the release. */
export function notesOf(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) throw new Error(`tag ${tag}: expected v${version}, the version of package.json`);
  const heading = version.replaceAll('.', String.raw`\.`);
  const section = new RegExp(String.raw`^## \[?${heading}\]?(?: .*)?\n([^]*?)(?=^## |(?![^]))`, 'm');
  const notes = section.exec(changelog)?.[1]?.trim() ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md: expected a section "## ${version}" with text`);
  return notes;
}

if (import.meta.main) {
  try {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    const notes = notesOf(process.argv[2] ?? '', version, readFileSync('CHANGELOG.md', 'utf8'));
    process.stdout.write(`${notes}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

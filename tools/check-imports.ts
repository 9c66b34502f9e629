import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { trackedFiles } from './tracked-files.ts';

/**
 * Checks every import below backend/src and frontend/src, type imports too, against the direction table of
 * docs/architecture.md. A row is `folder … -> allowed …`; allowed are folders, `folder/*` (its subfolders) and single
 * files. `not package … : folder …` bans packages. A file at the root has a row of its own. Tests are free.
 */

const TEST = /\.(spec|fixture|suite)\.tsx?$|\/test\//;
const IMPORT = /(?:\bfrom|\bimport|\bimport\(|new URL\()\s*['"`]([^'"`\n]+?)(?:\$\{[^`]*)?['"`]/g;

const words = (text = ''): readonly string[] => text.split(/\s+/).filter((word) => word !== '');
const unitOf = (file: string): string => (dirname(file) === '.' ? file : dirname(file));

function isAllowed(allowed: readonly string[], target: string): boolean {
  const unit = unitOf(target);
  const covers = (name: string): boolean => name.endsWith('/*') && unit.startsWith(name.slice(0, -1));
  return allowed.some((name) => name === unit || name === target || covers(name));
}

/** Returns the units in circles: those left when edges at the start or the end of all paths are removed. */
function unitsInCircles(edges: readonly string[]): readonly string[] {
  let left = edges.map((edge) => edge.split(' '));
  for (let before = -1; before !== left.length;) {
    before = left.length;
    left = left.filter(
      ([from, to]) => left.some(([, end]) => end === from) && left.some(([start]) => start === to),
    );
  }
  return [...new Set(left.flat())];
}

/** Lists every breach by `files`, content by path below `src`. @throws Error where `document` has no table of the side. */
export function checkImports(
  document: string,
  side: string,
  files: ReadonlyMap<string, string>,
): readonly string[] {
  const block = new RegExp(`\`\`\`imports ${side}\n([^]*?)\n\`\`\``).exec(document)?.[1];
  if (block === undefined) throw new Error(`docs/architecture.md has no block "imports ${side}"`);
  const rows = new Map<string, readonly string[]>();
  for (const [, left, right] of block.matchAll(/^(.+) ->(.*)$/gm))
    for (const unit of words(left)) rows.set(unit, words(right));
  const bans = [...block.matchAll(/^not (.+) : (.+)$/gm)].map(([, packages, units]) => [
    words(packages),
    words(units),
  ]);
  const faults: string[] = [];
  const edges = new Set<string>();
  for (const [file, content] of files) {
    const unit = unitOf(file);
    if (!rows.has(unit)) faults.push(`${file}: the table has no row for ${unit}`);
    for (const [, specifier = ''] of content.matchAll(IMPORT)) {
      const isOurs = specifier.startsWith('.') || specifier.startsWith('@errata/');
      const target = specifier.startsWith('.') ? join(dirname(file), specifier) : specifier;
      const isBanned = bans.some(
        ([names, units]) => units?.includes(unit) && names?.some((name) => target.startsWith(name)),
      );
      const isBreach = isOurs && unitOf(target) !== unit && !isAllowed(rows.get(unit) ?? [], target);
      if (isBanned || isBreach) faults.push(`${file}: ${unit} must not import ${specifier}`);
      if (isOurs && unitOf(target) !== unit) edges.add(`${unit} ${unitOf(target)}`);
    }
  }
  const circle = unitsInCircles([...edges]);
  return circle.length === 0 ? faults : [...faults, `circle of folders: ${circle.join(' ')}`];
}

if (import.meta.main) {
  const document = readFileSync('docs/architecture.md', 'utf8');
  const faults = ['backend', 'frontend'].flatMap((side) => {
    const root = `${side}/src/`;
    const paths = trackedFiles(root).filter((path) => /\.tsx?$/.test(path) && !TEST.test(path));
    const files = new Map(paths.map((path) => [path.slice(root.length), readFileSync(path, 'utf8')]));
    return checkImports(document, side, files);
  });
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

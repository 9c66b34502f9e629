import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { trackedFiles } from './tracked-files.ts';

/**
 * Checks every import below backend/src and frontend/src, type imports too, against the direction table of
 * docs/architecture.md. A row is `folder … -> allowed …`; allowed are folders, `folder/*` (its subfolders) and single
 * files, each of which a file of the row must use. `not package … : folder …` bans packages. A file at the root has a row
 * of its own. Tests are free.
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

/** Returns the units in circles of edges `from to`: those left without the edges at the start or the end of all paths. */
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

interface Table {
  /** What each unit may import. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
  readonly bans: readonly { readonly packages: readonly string[]; readonly units: readonly string[] }[];
}

/** @throws Error where `document` has no table of the side. */
function tableOf(document: string, side: string): Table {
  const block = new RegExp(`\`\`\`imports ${side}\n([^]*?)\n\`\`\``).exec(document)?.[1];
  if (block === undefined) throw new Error(`docs/architecture.md has no block "imports ${side}"`);
  const rows = new Map<string, readonly string[]>();
  for (const [, left, right] of block.matchAll(/^(.+) ->(.*)$/gm))
    for (const unit of words(left)) rows.set(unit, words(right));
  const bans = [...block.matchAll(/^not (.+) : (.+)$/gm)].map(([, packages, units]) => ({
    packages: words(packages),
    units: words(units),
  }));
  return { rows, bans };
}

interface Import {
  readonly file: string;
  readonly unit: string;
  readonly specifier: string;
  /** Path below `src`, or the name of a package. */
  readonly target: string;
  /** Whether it is an import of another unit of this project. */
  readonly isCrossing: boolean;
}

/** Lists the imports of `files`, content by path below `src`. */
function importsOf(files: ReadonlyMap<string, string>): readonly Import[] {
  return [...files].flatMap(([file, content]) =>
    [...content.matchAll(IMPORT)].map(([, specifier = '']) => {
      const unit = unitOf(file);
      const target = specifier.startsWith('.') ? join(dirname(file), specifier) : specifier;
      const isOurs = specifier.startsWith('.') || specifier.startsWith('@errata/');
      return { file, unit, specifier, target, isCrossing: isOurs && unitOf(target) !== unit };
    }),
  );
}

/** Lists every breach of the table. */
export function checkImports(
  document: string,
  side: string,
  files: ReadonlyMap<string, string>,
): readonly string[] {
  const { rows, bans } = tableOf(document, side);
  const imports = importsOf(files);
  const withoutRow = [...files.keys()].filter((file) => !rows.has(unitOf(file)));
  const breaches = imports.filter(
    ({ unit, target, isCrossing }) =>
      (isCrossing && !isAllowed(rows.get(unit) ?? [], target)) ||
      bans.some(
        ({ packages, units }) => units.includes(unit) && packages.some((name) => target.startsWith(name)),
      ),
  );
  const crossing = imports.filter(({ isCrossing }) => isCrossing);
  const circle = unitsInCircles(crossing.map(({ unit, target }) => `${unit} ${unitOf(target)}`));
  return [
    ...withoutRow.map((file) => `${file}: the table has no row for ${unitOf(file)}`),
    ...breaches.map(({ file, unit, specifier }) => `${file}: ${unit} must not import ${specifier}`),
    ...(circle.length === 0 ? [] : [`circle of folders: ${circle.join(' ')}`]),
  ];
}

/** Lists the permissions of the table that no file uses: an import through one of them would pass unnoticed. */
export function unusedPermissions(
  document: string,
  side: string,
  files: ReadonlyMap<string, string>,
): readonly string[] {
  const crossing = importsOf(files).filter(({ isCrossing }) => isCrossing);
  return [...tableOf(document, side).rows].flatMap(([unit, allowed]) =>
    allowed
      .filter((name) => !crossing.some((one) => one.unit === unit && isAllowed([name], one.target)))
      .map((name) => `docs/architecture.md: no file of ${unit} imports ${name}`),
  );
}

if (import.meta.main) {
  const document = readFileSync('docs/architecture.md', 'utf8');
  const faults = ['backend', 'frontend'].flatMap((side) => {
    const root = `${side}/src/`;
    const paths = trackedFiles(root).filter((path) => /\.tsx?$/.test(path) && !TEST.test(path));
    const files = new Map(paths.map((path) => [path.slice(root.length), readFileSync(path, 'utf8')]));
    return [...checkImports(document, side, files), ...unusedPermissions(document, side, files)];
  });
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

import { dirname, join } from 'node:path/posix';
import { commentLines, type Line, proseLines, textLines } from './check-prose.ts';

/** Names of settings and metrics, as documents write them. */
const NAME = /\b(?:(?:ERRATA|OIDC)_[A-Z_]*[A-Z]|errata_[a-z_]*[a-z])\b/g;
/** Target of a link in Markdown to another place of the project, or of an alert's runbook. */
const LINK = /\]\((?![a-z]+:)(?<link>[^)\s]+)\)|^\s*runbook_url: (?<runbook>\S+)$/g;
/** First cell of a row: the number of a requirement, a threat or a fault. */
const ROW = /^\| (?<number>[AEFHLS]\d+) +\|/gm;
/** Numbers of rows in a comment (`protocol E2–E7`, `threat S5`) and the numbers of sections, which no document has. */
const NUMBER = /(?<![\w%\\+-])[AEFHLS]\d{1,2}(?!\w)|\bprotocol \d+(?:\.\d+)*/g;
/** The same at the start of a test's name: `H1, H2: accepts …`. */
const TEST_NAME =
  /['"`](?<numbers>[A-Z]\d{1,2}(?:(?:, |–)[A-Z]\d{1,2})*|(?:protocol )?\d+\.\d+|protocol \d+): /g;
/** Path of a document from the root of the project, or a decision by its number. */
const PATH = /(?<![\w/.-])[\w-][\w/-]*\.md(?:#[\w-]+)?|docs\/decisions\/\d{3}(?![\w-])/g;

/** Text of each document, by its path in the project. */
export type Documents = ReadonlyMap<string, string>;

/** Lists the settings and metrics in a text that do not exist. @param known all that exist. */
export function unknownNames(file: string, text: string, known: ReadonlySet<string>): readonly string[] {
  return faults(linesOf(file, text), NAME, (name) => known.has(name), 'is neither a setting nor a metric');
}

/**
 * Lists the links of a file to files, folders or headings of the project that do not exist.
 *
 * @param root folder from which links start.
 * @param exists returns whether a path is in the project.
 */
export function brokenLinks(
  file: string,
  text: string,
  documents: Documents,
  exists: (path: string) => boolean,
  root = dirname(file),
): readonly string[] {
  return faults(linesOf(file, text), LINK, (link) => {
    const [path = '', anchor] = link.split('#', 2);
    const target = path === '' ? file : join(root, path);
    return anchor === undefined ? exists(target) : hasAnchor(documents, target, anchor);
  });
}

/**
 * Lists the references in the comments and test names of a source file to rows, sections and documents that do not exist:
 * `protocol E2`, `threat S5`, `docs/protocol.md#events`, `docs/decisions/004`.
 */
export function missingReferences(file: string, text: string, documents: Documents): readonly string[] {
  const rows = new Set([...documents.values()].flatMap((document) => matches(document, ROW)));
  const hasRows = (numbers: string): boolean => numbers.split(/, |–/).every((number) => rows.has(number));
  const comments = commentLines(file, text);
  return [
    ...faults(comments, NUMBER, hasRows),
    ...faults(comments, PATH, (reference) => {
      const [path = '', anchor] = reference.split('#', 2);
      if (anchor !== undefined) return hasAnchor(documents, path, anchor);
      return documents.has(path) || [...documents.keys()].some((name) => name.startsWith(`${path}-`));
    }),
    ...faults(textLines(file, text), TEST_NAME, hasRows),
  ];
}

const linesOf = (file: string, text: string): readonly Line[] =>
  text.split('\n').map((line, index) => ({ place: `${file}:${index + 1}`, text: line }));

/** Returns the named group of each match, or the whole match of an expression without groups. */
function matches(text: string, expression: RegExp): readonly string[] {
  return Array.from(text.matchAll(expression), ([whole, ...groups]) => groups.find(Boolean) ?? whole);
}

function faults(
  lines: readonly Line[],
  expression: RegExp,
  isFound: (reference: string) => boolean,
  problem = 'does not exist',
): readonly string[] {
  return lines.flatMap(({ place, text }) =>
    matches(text, expression)
      .filter((reference) => !isFound(reference))
      .map((reference) => `${place}: ${reference} ${problem}`),
  );
}

/** Whether a document has a heading with this anchor of GitHub. */
function hasAnchor(documents: Documents, file: string, anchor: string): boolean {
  return proseLines(file, documents.get(file) ?? '')
    .filter(({ text }) => /^#+ /.test(text))
    .map(({ text }) => text.replace(/^#+ /, '').toLowerCase())
    .some((heading) => heading.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-') === anchor);
}

/** Returns a document with another content of the first YAML block below a heading. @throws Error without such a block. */
export function withBlock(text: string, heading: string, content: string): string {
  const [before = '', below, ...others] = text.split(`\n${heading}\n`);
  const block = /(?<=```yaml\n)[^]*?(?=```\n)/;
  if (below === undefined || !block.test(below)) throw new Error(`no YAML block below "${heading}"`);
  return [before, below.replace(block, () => content), ...others].join(`\n${heading}\n`);
}

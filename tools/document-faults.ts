import { dirname, join } from 'node:path/posix';
import { commentLines, proseLines, textLines } from './check-prose.ts';

/** Names of settings and metrics, as documents write them. */
const NAME = /\b(?:(?:ERRATA|OIDC)_[A-Z_]*[A-Z]|errata_[a-z_]*[a-z])\b/g;
/** Target of a link in Markdown, or of an alert's runbook. */
const LINK = /\]\(([^)\s]+)\)|^\s*runbook_url: (\S+)$/g;
const OTHER_HOST = /^[a-z]+:/;
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
  return text.split('\n').flatMap((line, index) =>
    Array.from(line.matchAll(NAME), ([name]) => name)
      .filter((name) => !known.has(name))
      .map((name) => `${file}:${index + 1}: ${name} is neither a setting nor a metric`),
  );
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
  return text.split('\n').flatMap((line, index) =>
    Array.from(line.matchAll(LINK), ([, link, runbook]) => link ?? runbook ?? '')
      .filter((link) => !OTHER_HOST.test(link) && !isFound(link))
      .map((link) => `${file}:${index + 1}: ${link} does not exist`),
  );

  function isFound(link: string): boolean {
    const [path = '', anchor] = link.split('#', 2);
    const target = path === '' ? file : join(root, path);
    return anchor === undefined ? exists(target) : hasAnchor(documents, target, anchor);
  }
}

/**
 * Lists the references in the comments and test names of a source file to rows, sections and documents that do not exist:
 * `protocol E2`, `threat S5`, `docs/protocol.md#events`, `docs/decisions/004`.
 */
export function missingReferences(file: string, text: string, documents: Documents): readonly string[] {
  const numbers = new Set([...documents.values()].flatMap((document) => matches(document, ROW)));
  const isMissing = (reference: string): boolean =>
    reference.includes('/') || reference.includes('.md') ? !isFound(reference) : !numbers.has(reference);
  const cited = [
    ...commentLines(file, text).map(({ place, text: line }) => ({
      place,
      references: [...matches(line, NUMBER), ...matches(line, PATH)],
    })),
    ...textLines(file, text).map(({ place, text: line }) => ({
      place,
      references: matches(line, TEST_NAME).flatMap((name) => name.split(/, |–/)),
    })),
  ];
  return cited.flatMap(({ place, references }) =>
    references.filter(isMissing).map((reference) => `${place}: ${reference} does not exist`),
  );

  function isFound(reference: string): boolean {
    const [path = '', anchor] = reference.split('#', 2);
    if (anchor !== undefined) return hasAnchor(documents, path, anchor);
    return documents.has(path) || [...documents.keys()].some((name) => name.startsWith(`${path}-`));
  }
}

/** Returns the first group of each match, or the whole match of an expression without groups. */
function matches(text: string, expression: RegExp): readonly string[] {
  return Array.from(text.matchAll(expression), ([whole, group]) => group ?? whole);
}

function hasAnchor(documents: Documents, file: string, anchor: string): boolean {
  return anchorsOf(file, documents.get(file) ?? '').has(anchor);
}

/** Returns the anchors that GitHub gives to the headings of a document. */
function anchorsOf(file: string, text: string): ReadonlySet<string> {
  const headings = proseLines(file, text).flatMap(({ text: line }) => /^#+ (.*)$/.exec(line)?.[1] ?? []);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Returns a document with another content of the first YAML block below a heading. @throws Error without such a block. */
export function withBlock(text: string, heading: string, content: string): string {
  const before = text.indexOf(`\n${heading}\n`);
  const start = text.indexOf('```yaml\n', before) + '```yaml\n'.length;
  const end = text.indexOf('```\n', start);
  if (before < 0 || start < before || end < 0) throw new Error(`no YAML block below "${heading}"`);
  return `${text.slice(0, start)}${content}${text.slice(end)}`;
}

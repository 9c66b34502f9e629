import { readFileSync } from 'node:fs';
import { trackedFiles } from './tracked-files.ts';

/** Circumlocutions: pronouns and clauses in the place of the name of a thing. */
const DIALECT =
  /\b(nobody|somebody|whoever|whatever|whom|anew|thereby)\b|\b(what|who) (is|was|are|were|has|had|comes|came|goes|does|did|it|they|one|people|would|can|could|must|waits|asks|looks)\b|\b(would|or|could|must) else\b|\bof (which|whom|those|these)\b/i;
/** Phrases that neither documents nor code may contain outside comments: names of tests, texts of interface and commands. */
const PHRASES =
  /\b(let(s|ting)? go of|stands? (here|there|under|beside|by itself)|turned away|is for it|grew too old|nobody|somebody|whoever|would else|in earnest|slip of the pen|the books|asker|is told|are told|be told|mend(s|ed|ing)?)\b/i;

/** Maximum hits: of DIALECT for each 1,000 lines, of PHRASES in total. */
const LIMITS = { dialect: 10, phrases: 0 };

/** Folders of source whose comments have a budget of their own. */
const SOURCES = ['backend', 'frontend', 'e2e', 'bench', 'tools docker .ci'];
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs'];
/** Files that name the phrases: this one and its test. */
const LISTS = /(^|\/)check-prose(\.spec)?\.ts$/;
/** The name of a test: first argument of `it`, `test`, `describe` and of the call after `it.each(…)`. */
const TEST_NAME =
  /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*(?<quote>['"`])(?<name>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>,/g;

export interface Line {
  readonly place: string;
  readonly text: string;
}

/** Splits a TypeScript file into the lines of comments and the other ones; imports are in neither. */
function splitLines(file: string, text: string, isComment: boolean): readonly Line[] {
  let isInside = false;
  return text.split('\n').flatMap((whole, index) => {
    const line = whole.trim();
    const isPart = isInside || /^\/[/*]/.test(line);
    if (isPart) isInside = (isInside || line.startsWith('/*')) && !line.includes('*/');
    const isWanted = isComment ? isPart : !isPart && !/^(\*|import )/.test(line);
    return isWanted ? [{ place: `${file}:${index + 1}`, text: line }] : [];
  });
}
export const commentLines = (file: string, text: string): readonly Line[] => splitLines(file, text, true);
export const textLines = (file: string, text: string): readonly Line[] => splitLines(file, text, false);

/** Lists the names of tests in a TypeScript file. */
export function testNames(file: string, text: string): readonly Line[] {
  return Array.from(text.matchAll(TEST_NAME), ({ index, groups }) => ({
    place: `${file}:${text.slice(0, index).split('\n').length}`,
    text: groups?.['name'] ?? '',
  }));
}

/** Lists the lines of a Markdown file outside code blocks, without empty ones. */
export function proseLines(file: string, text: string): readonly Line[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    const isFence = line.trimStart().startsWith('```');
    if (isFence) isCode = !isCode;
    return isFence || isCode || line.trim() === '' ? [] : [{ place: `${file}:${index + 1}`, text: line }];
  });
}

/** Lists the hits when there are more than `limit`: of PHRASES in total (`isTotal`), of DIALECT for each 1,000 lines. */
export function overBudget(name: string, lines: readonly Line[], limit: number, isTotal = false): string[] {
  const hits = lines.flatMap(({ place, text }) => {
    const phrase = (isTotal ? PHRASES : DIALECT).exec(text)?.[0];
    return phrase === undefined ? [] : [`${place}: "${phrase}"`];
  });
  const count = isTotal ? hits.length : Math.round((1_000 * hits.length) / Math.max(1, lines.length));
  const unit = isTotal ? '' : ' for each 1,000 lines';
  return count > limit ? [...hits, `${name}: ${count} phrases to avoid${unit}, the limit is ${limit}`] : [];
}

if (import.meta.main) {
  const read = (split: typeof proseLines, files: readonly string[]): readonly Line[] =>
    files.flatMap((file) => split(file, readFileSync(file, 'utf8')));
  const isSource = (file: string): boolean => /\.(tsx?|js|css)$/.test(file) && !LISTS.test(file);
  const sources = (folders: string) => trackedFiles(...folders.split(' ')).filter(isSource);
  const all = SOURCES.flatMap(sources);
  const documents = read(
    proseLines,
    trackedFiles(...DOCUMENTS).filter((file) => file.endsWith('.md')),
  );
  const reports = [
    ...SOURCES.flatMap((folders) =>
      overBudget(`comments in ${folders}`, read(commentLines, sources(folders)), LIMITS.dialect),
    ),
    ...overBudget('names of tests', read(testNames, all), LIMITS.dialect),
    ...overBudget('code and its texts', read(textLines, all), LIMITS.phrases, true),
    ...overBudget('documents', documents, LIMITS.dialect),
    ...overBudget('documents', documents, LIMITS.phrases, true),
  ];
  for (const line of reports) process.stderr.write(`${line}\n`);
  process.exitCode = reports.length > 0 ? 1 : 0;
}

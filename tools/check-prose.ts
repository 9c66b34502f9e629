import { readFileSync } from 'node:fs';
import { trackedFiles } from './tracked-files.ts';

/** Circumlocutions: pronouns and clauses in the place of the name of a thing. */
const DIALECT =
  /\b(nobody|somebody|whoever|whatever|whom|anew|thereby)\b|\b(what|who) (is|was|are|were|has|had|comes|came|goes|does|did|it|they|one|people|would|can|could|must|waits|asks|looks)\b|\b(would|or|could|must) else\b|\bof (which|whom|those|these)\b/i;
/** Phrases that neither documents nor code may contain outside comments: names of tests, texts of interface and commands. */
const PHRASES =
  /\b(let(s|ting)? go of|stands? (here|there|under|beside|by itself)|turned away|is for it|grew too old|nobody|somebody|whoever|would else|in earnest|slip of the pen|the books|asker|is told|are told|be told|mend(s|ed|ing)?)\b/i;

/** Maximum hits of DIALECT for each 1,000 lines; none of PHRASES is allowed. */
const MAX_DIALECT = 10;

/** Folders of source whose comments have a budget of their own. */
const SOURCES = ['backend', 'frontend', 'e2e', 'bench', 'tools docker .ci'];
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

/** Lists the hits of PHRASES. */
export function phrases(lines: readonly Line[], expression = PHRASES): readonly string[] {
  return lines.flatMap(({ place, text }) => {
    const phrase = expression.exec(text)?.[0];
    return phrase === undefined ? [] : [`${place}: "${phrase}" is to be avoided`];
  });
}

/** Lists the hits of DIALECT when there are more than `max` for each 1,000 lines. */
export function dialect(name: string, lines: readonly Line[], max = MAX_DIALECT): readonly string[] {
  const hits = phrases(lines, DIALECT);
  const share = Math.round((1_000 * hits.length) / Math.max(1, lines.length));
  return share > max ? [...hits, `${name}: ${share} for each 1,000 lines, the limit is ${max}`] : [];
}

if (import.meta.main) {
  const read = (split: typeof proseLines, files: readonly string[]): readonly Line[] =>
    files.flatMap((file) => split(file, readFileSync(file, 'utf8')));
  const sources = (folders: string) =>
    trackedFiles(...folders.split(' ')).filter((file) => /\.(tsx?|js|css)$/.test(file) && !LISTS.test(file));
  const all = SOURCES.flatMap(sources);
  const documents = read(proseLines, trackedFiles('*.md'));
  const reports = [
    ...SOURCES.flatMap((folders) => dialect(`comments in ${folders}`, read(commentLines, sources(folders)))),
    ...dialect('names of tests', read(testNames, all)),
    ...phrases(read(textLines, all)),
    ...dialect('documents', documents),
    ...phrases(documents),
  ];
  for (const line of reports) process.stderr.write(`${line}\n`);
  process.exitCode = reports.length > 0 ? 1 : 0;
}

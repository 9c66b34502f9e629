import { readFileSync } from 'node:fs';
import { trackedFiles } from './tracked-files.ts';

/** Circumlocutions: pronouns and clauses in the place of the name of a thing. */
const DIALECT =
  /\b(nobody|somebody|whoever|whatever|whom|anew|thereby)\b|\b(what|who) (is|was|are|were|has|had|comes|came|goes|does|did|it|they|one|people|would|can|could|must|waits|asks|looks)\b|\b(would|or|could|must) else\b|\bof (which|whom|those|these)\b/i;
/** Phrases that texts for people must not contain: interface, API, commands, settings, documents. */
const PHRASES =
  /\b(let(s|ting)? go of|stands? (here|there|under|beside|by itself)|turned away|is for it|grew too old|nobody|somebody|whoever|would else|in earnest|slip of the pen|the books|asker|is told|are told|be told|mend(s|ed|ing)?)\b/i;

/** Maximum hits: of DIALECT for each 1,000 lines, of PHRASES in total. */
const LIMITS = { backend: 10, frontend: 10, documents: 10, interface: 0, documentPhrases: 0 };

const TEST = /\.spec\.tsx?$|fixture|\.suite\.|(^|\/)test\//;
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs'];
const INTERFACE = 'frontend/src backend/src/contract backend/src/config backend/src/console tools .ci'.split(
  ' ',
);

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
  const isSource = (file: string): boolean => /(?<!check-prose)\.tsx?$/.test(file) && !TEST.test(file);
  const sources = (...paths: readonly string[]) => trackedFiles(...paths).filter(isSource);
  const documents = read(
    proseLines,
    trackedFiles(...DOCUMENTS).filter((file) => file.endsWith('.md')),
  );
  const reports = [
    ...overBudget('comments in backend/src', read(commentLines, sources('backend/src')), LIMITS.backend),
    ...overBudget('comments in frontend/src', read(commentLines, sources('frontend/src')), LIMITS.frontend),
    ...overBudget('documents', documents, LIMITS.documents),
    ...overBudget('texts for people', read(textLines, sources(...INTERFACE)), LIMITS.interface, true),
    ...overBudget('documents', documents, LIMITS.documentPhrases, true),
  ];
  for (const line of reports) process.stderr.write(`${line}\n`);
  process.exitCode = reports.length > 0 ? 1 : 0;
}

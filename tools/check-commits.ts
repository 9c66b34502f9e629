import { execFileSync } from 'node:child_process';

/** Longest subject: longer ones are cut in `git log --oneline` on 80 columns and on the pages of code hosts. */
const MAX_LENGTH = 72;
/** Number of commits that are checked while there is no tag. */
const WITHOUT_TAG = 30;
const FORM = /^[a-z]+(\([a-z0-9-]+\))?: \S/;

/** Returns the fault of a subject, or null. */
export function subjectFault(subject: string): string | null {
  if (subject.length > MAX_LENGTH) return `${subject.length} characters, the limit is ${MAX_LENGTH}`;
  return FORM.test(subject) ? null : 'expected `type(area): subject` or `type: subject`';
}

function git(folder: string, ...args: readonly string[]): string | null {
  try {
    return execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

/** Lists the subjects since the last tag, or of the last commits, without merges; null outside of a repository. */
export function recentSubjects(folder: string): readonly string[] | null {
  const tag = git(folder, 'describe', '--tags', '--abbrev=0');
  const range = tag === null ? [`--max-count=${WITHOUT_TAG}`] : [`${tag}..HEAD`];
  const log = git(folder, 'log', '--no-merges', '--format=%s', ...range);
  return log === null ? null : log.split('\n').filter((subject) => subject !== '');
}

if (import.meta.main) {
  const subjects = recentSubjects('.');
  if (subjects === null) process.stdout.write('check-commits: skipped, this folder has no git history\n');
  const faults = (subjects ?? []).flatMap((subject) => {
    const fault = subjectFault(subject);
    return fault === null ? [] : [`${subject}: ${fault}`];
  });
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

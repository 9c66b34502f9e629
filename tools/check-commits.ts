import { spawnSync } from 'node:child_process';

/** Longest subject: longer ones are cut in `git log --oneline` on 80 columns and on the pages of code hosts. */
const MAX_LENGTH = 72;
const FORM = /^[a-z]+(\([a-z0-9-]+\))?: \S/;

/** Returns the fault of a subject, or null. */
export function subjectFault(subject: string): string | null {
  if (subject.length > MAX_LENGTH) return `${subject.length} characters, the limit is ${MAX_LENGTH}`;
  return FORM.test(subject) ? null : 'expected `type(area): subject` or `type: subject`';
}

if (import.meta.main) {
  // The last 30: older ones are published, and cannot change.
  const log = ['log', '--no-merges', '--format=%s', '--max-count=30'];
  const { status, stdout } = spawnSync('git', log, { encoding: 'utf8' });
  if (status !== 0) process.stdout.write('check-commits: skipped, this folder has no git history\n');
  for (const subject of status === 0 ? stdout.trim().split('\n') : []) {
    const fault = subjectFault(subject);
    if (fault === null) continue;
    process.stderr.write(`${subject}: ${fault}\n`);
    process.exitCode = 1;
  }
}

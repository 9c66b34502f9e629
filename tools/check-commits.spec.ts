import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recentSubjects, subjectFault } from './check-commits.ts';

const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];

describe('subjectFault', () => {
  it.each(['fix(spool): keep the envelope when the disk is full', 'docs: name the limits'])(
    'accepts "%s"',
    (subject) => expect(subjectFault(subject)).toBeNull(),
  );

  it('rejects a subject of 73 characters and accepts one of 72', () => {
    const subject = `fix: ${'x'.repeat(67)}`;

    expect(subjectFault(subject)).toBeNull();
    expect(subjectFault(`${subject}x`)).toBe('73 characters, the limit is 72');
  });

  it.each(['Fix the spool', 'fix:no space', 'fix(Spool): upper case'])(
    'rejects the form of "%s"',
    (subject) => expect(subjectFault(subject)).toContain('expected'),
  );
});

describe('recentSubjects', () => {
  let folder: string;

  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...IDENTITY, '-C', folder, ...args], { encoding: 'utf8', stdio: 'pipe' });
  const commit = (subject: string): string => git('commit', '--allow-empty', '--quiet', '-m', subject);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'errata-commits-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('lists the last 30 commits while there is no tag', () => {
    git('init', '--quiet');
    for (let number = 1; number <= 31; number += 1) commit(`feat: ${number}`);

    const subjects = recentSubjects(folder);

    expect(subjects).toHaveLength(30);
    expect(subjects?.[0]).toBe('feat: 31');
  });

  it('lists the commits since the last tag', () => {
    git('init', '--quiet');
    commit('feat: one');
    git('tag', 'v1');
    commit('feat: two');

    expect(recentSubjects(folder)).toEqual(['feat: two']);
  });

  it('works in a shallow clone', () => {
    git('init', '--quiet', 'whole');
    for (const subject of ['feat: one', 'feat: two'])
      git('-C', 'whole', 'commit', '--allow-empty', '-qm', subject);
    git('clone', '--quiet', '--depth=1', `file://${folder}/whole`, 'shallow');

    expect(recentSubjects(join(folder, 'shallow'))).toEqual(['feat: two']);
  });

  it('returns null outside of a repository', () => {
    expect(recentSubjects(folder)).toBeNull();
  });
});

import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, run } from './commands.fixture.ts';

const ROOT = join(import.meta.dirname, '..');
const MARKER = join('node_modules', '.installed');

/** Installs a Node that behaves as $NODE_WORKS says, as npm does. */
const NPM = `#!/bin/sh
[ "$1" = ci ] || exit 0
echo "npm: $*"
mkdir -p node_modules/.bin
cp "$NODE_STAND_IN" node_modules/.bin/node
`;
const BROKEN_NODE = `#!/bin/sh
echo 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file' >&2
exit 127
`;
const WORKING_NODE = '#!/bin/sh\necho v26.10.0\n';

/**
 * Records its arguments. The first `up` starts the server, which then logs; a later one finds it running. Where $STARTS is
 * `no` the server ends at a wrong setting.
 */
const DOCKER = `#!/bin/sh
echo "$* link=$ERRATA_CONSOLE_LINK" >> "$RECORD"
case "$*" in
  *' up '*)
    mv "$RECORD.log" "$RECORD.old" 2>/dev/null && exit 0
    if [ "$STARTS" = no ]; then echo 'HOST: expected an address' > "$RECORD.log"; exit 1; fi
    printf '  Console       http://0.0.0.0:3000/console\\n  DSN           https://key@errata.invalid/1\\n  Sign in once  http://0.0.0.0:3000/console/sign-in#one_time-Code\\n' > "$RECORD.log" ;;
  *' port errata 3000') echo 127.0.0.1:3456 ;;
  *' logs '*' --since '*) cat "$RECORD.log" 2>/dev/null ;;
  *' logs '*) cat "$RECORD.old" "$RECORD.log" 2>/dev/null ;;
esac
exit 0
`;

describe('Makefile', () => {
  let folder: string;
  let programs: string;

  function write(path: string, text: string): string {
    writeFileSync(path, text);
    chmodSync(path, 0o755);
    return path;
  }

  function make(target: string, environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const PATH = `${programs}:${process.env['PATH']}`;
    return run(['make', target], { NPM_CONFIG_GLOBALCONFIG: '', ...environment, PATH }, folder);
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'errata-make-'));
    programs = join(folder, 'programs');
    mkdirSync(programs);
    for (const name of ['Makefile', 'package-lock.json']) copyFileSync(join(ROOT, name), join(folder, name));
    for (const name of ['.ci', 'docker']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    rmSync(join(folder, 'docker', '.env'), { force: true });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('names libatomic when the installed Node does not start, and installs again afterwards', async () => {
    write(join(programs, 'npm'), NPM);
    const node = write(join(folder, 'node'), BROKEN_NODE);

    const broken = await make(MARKER, { NODE_STAND_IN: node });

    expect(broken.code).not.toBe(0);
    expect(broken.stderr).toContain('apt-get install libatomic1');
    expect(broken.stderr).toContain('dnf install libatomic');
    expect(existsSync(join(folder, MARKER))).toBe(false);

    write(node, WORKING_NODE);
    const repaired = await make(MARKER, { NODE_STAND_IN: node });

    expect([repaired.code, repaired.stderr]).toEqual([0, '']);
    expect(repaired.stdout).toContain('npm: ci');
    expect((await make(MARKER, { NODE_STAND_IN: node })).stdout).not.toContain('npm: ci');
  });

  it('installs for make start what runs and builds Errata, and all of it once for the tests', async () => {
    write(join(programs, 'npm'), NPM);
    const environment = { NODE_STAND_IN: write(join(folder, 'node'), WORKING_NODE) };

    const base = await make(join('node_modules', '.installed-base'), environment);
    const all = await make(MARKER, environment);
    const again = await make(join('node_modules', '.installed-base'), environment);

    expect(base.stdout).toMatch(/^npm: ci .*--workspace=backend --workspace=frontend$/m);
    expect(base.stdout).toMatch(/installed in \d+ s: \d/);
    expect(all.stdout).toMatch(/^npm: ci /m);
    expect(all.stdout).not.toContain('--workspace');
    expect(again.stdout).not.toContain('npm: ci');
  });

  it('lists the targets and the needs in make help', async () => {
    const { stdout } = await make('help');

    expect(stdout).toMatch(/^test +run all tests/m);
    expect(stdout).toMatch(/^Needs git, make, .* and 2 GB of free disk\.$/m);
  });

  it('prints a URL and a sign-in link after make up, and keeps the token', async () => {
    write(join(programs, 'docker'), DOCKER);
    const record = join(folder, 'record');
    const settings = join(folder, 'docker', '.env');

    const first = await make('up', { RECORD: record });
    const token = readFileSync(settings, 'utf8');
    const second = await make('up', { RECORD: record });

    expect(first.code).toBe(0);
    expect(first.stdout).toContain('http://localhost:3456/console\n');
    expect(first.stdout).toContain('http://localhost:3456/console/sign-in#one_time-Code\n');
    expect(first.stdout).toContain('  DSN           https://key@errata.invalid/1\n');
    expect(token).toMatch(/^ERRATA_CONSOLE_TOKEN=[\w-]{32}\n$/);
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    expect(readFileSync(record, 'utf8')).toContain('up --build --detach --wait link=on\n');
    expect(readFileSync(settings, 'utf8')).toBe(token);
    expect(second.stdout).toContain('  DSN           https://key@errata.invalid/1\n');
    expect(second.stdout).toContain('Sign in with the token (docker/.env).\n');
    expect(second.stdout).not.toContain('sign-in#');
  });

  it('prints the last lines of the server where make up fails', async () => {
    write(join(programs, 'docker'), DOCKER);

    const { code, stdout, stderr } = await make('up', { RECORD: join(folder, 'record'), STARTS: 'no' });

    expect(code).not.toBe(0);
    expect(stderr).toContain('\nHOST: expected an address\n');
    expect(stdout).not.toContain('Application');
  });

  it('writes no token where one is set', async () => {
    write(join(programs, 'docker'), DOCKER);

    await make('up', { RECORD: join(folder, 'record'), ERRATA_CONSOLE_TOKEN: 'a-token-of-the-operator' });

    expect(existsSync(join(folder, 'docker', '.env'))).toBe(false);
  });

  it.each([
    'ERRATA_CONSOLE_TOKEN=a-token-of-the-operator\n',
    'ERRATA_CONSOLE_TOKEN_FILE=/run/secrets/token\n',
  ])('adds no token to %j', async (settings) => {
    write(join(programs, 'docker'), DOCKER);
    writeFileSync(join(folder, 'docker', '.env'), settings);

    await make('up', { RECORD: join(folder, 'record') });

    expect(readFileSync(join(folder, 'docker', '.env'), 'utf8')).toBe(settings);
  });

  it('names CHROMIUM and the Debian package in one line where Chromium cannot be installed', async () => {
    symlinkSync('/bin/bash', join(programs, 'bash'));
    write(join(programs, 'id'), '#!/bin/bash\necho 1000\n');
    for (const name of ['sudo', 'apt-get']) write(join(programs, name), '#!/bin/bash\nexit 1\n');

    const ended = await run(['/bin/bash', join(ROOT, 'e2e', 'install-programs.sh'), 'chromium'], {
      PATH: programs,
    });

    expect([ended.code, ended.stdout]).toEqual([0, '']);
    expect(ended.stderr).toMatch(
      /^No chromium, for the tests in a browser\. Install chromium .*, or set CHROMIUM .*\n$/,
    );
  });

  it('prints the output of a check only when it fails', async () => {
    const quiet = join(ROOT, '.ci', 'quiet');

    const good = await run([quiet, 'echo', 'noise'], {});
    const bad = await run([quiet, 'sh', '-c', 'echo the reason >&2; exit 3'], {});

    expect(good).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(bad.code).toBe(3);
    expect(bad.stdout).toContain('the reason\n');
  });
});

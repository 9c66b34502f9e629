import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, HELM, isNewEnough, KUBECTL, type Program } from './programs.ts';

const PROGRAM: Program = {
  name: 'errata-test-program',
  least: null,
  versionArgs: [],
  cached: 'errata-test-program-1',
  fetch: 'echo fetched > errata-test-program',
  advice: '',
};

describe('findProgram', () => {
  let cache: string;

  beforeEach(() => {
    cache = mkdtempSync(join(tmpdir(), 'errata-programs-'));
  });

  afterEach(() => rmSync(cache, { recursive: true }));

  it('prefers the program on PATH', async () => {
    expect(await findProgram({ ...PROGRAM, name: 'true' }, cache)).toEqual({ path: 'true' });
  });

  it('fetches a program that is missing once, and leaves nothing else behind', async () => {
    const path = join(cache, 'errata-test-program-1');

    expect(await findProgram(PROGRAM, cache)).toEqual({ path });
    expect(readdirSync(cache)).toEqual(['errata-test-program-1']);
    expect(await findProgram({ ...PROGRAM, fetch: 'exit 1' }, cache)).toEqual({ path });
  });

  it('fetches a program that is too old on PATH', async () => {
    const old = { ...PROGRAM, name: 'true', least: [1, 0] as const, fetch: 'echo fetched > true' };

    expect(await findProgram(old, cache)).toEqual({ path: join(cache, 'errata-test-program-1') });
  });

  it('gives the reason where the program cannot be fetched, and keeps no part of it', async () => {
    const fetch = 'echo half > errata-test-program; echo starting; echo no route to host >&2 | false';

    expect(await findProgram({ ...PROGRAM, fetch, advice: 'install it' }, cache)).toEqual({
      path: null,
      problem: 'install it (not fetched: no route to host)',
    });
    expect(readdirSync(cache)).toEqual([]);
  });

  it.each([
    ['{ "gitVersion": "v1.29.9" }', KUBECTL, false],
    ['{ "gitVersion": "v1.30.0" }', KUBECTL, true],
    ['{ "gitVersion": "v1.32.4-dispatcher" }', KUBECTL, true],
    ['{ "gitVersion": "v2.0.0" }', KUBECTL, true],
    ['v2.17.0', HELM, false],
    ['v3.5.4', HELM, false],
    ['v3.6.2+gee407bd', HELM, true],
    ['v4.1.4+g05fa379', HELM, true],
    ['', HELM, false],
  ])('compares %s with the first version that will do', (version, program, isEnough) => {
    expect(isNewEnough(program, version)).toBe(isEnough);
  });
});

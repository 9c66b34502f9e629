import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDsn } from '../envelope/dsn.ts';
import { openSpool } from '../spool/spool.fixture.ts';
import { createLog } from '../telemetry/log.ts';
import { Reporter } from './reporter.ts';

describe('Reporter', () => {
  it('leaves no listener at the process when it is closed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'errata-reporter-'));
    const spool = await openSpool(directory);
    const dsn = parseDsn('http://key@errata.example/1');
    if (dsn === undefined) throw new Error('no dsn');
    const options = { dsn, hasUpstream: false, release: '1', environment: 'test' };
    const before = process.listenerCount('beforeExit');

    await new Reporter(spool, options, createLog('silent')).close();

    expect(process.listenerCount('beforeExit')).toBe(before);
    await spool.close();
    rmSync(directory, { recursive: true });
  });
});

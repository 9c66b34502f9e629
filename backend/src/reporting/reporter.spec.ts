import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDsn } from '../envelope/dsn.ts';
import { newEventId } from '../envelope/event-id.ts';
import { held, openSpool } from '../spool/spool.fixture.ts';
import type { Spool } from '../spool/spool.ts';
import { createLog } from '../telemetry/log.ts';
import { Reporter } from './reporter.ts';

function reportOf(eventId: string) {
  return { eventId, digest: 'ABCD-1234', digestKey: 'a'.repeat(64), request: null };
}

describe('Reporter', () => {
  let directory: string;
  let spool: Spool;
  let reporter: Reporter;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'errata-reporter-'));
    spool = await openSpool(directory, { maxBytes: 2 ** 25 });
    const dsn = parseDsn('http://key@errata.example/1');
    if (dsn === undefined) throw new Error('no dsn');
    const options = { dsn, hasUpstream: false, release: '1', environment: 'test' };
    reporter = new Reporter(spool, options, createLog('silent'));
  });

  afterEach(async () => {
    await reporter.close();
    await spool.close();
    rmSync(directory, { recursive: true });
  });

  it('leaves no listener at the process when it is closed', async () => {
    const before = process.listenerCount('beforeExit');

    await reporter.close();

    expect(process.listenerCount('beforeExit')).toBe(before - 1);
  });

  it('says when a report is on disk', async () => {
    const eventId = newEventId();
    await reporter.report(new Error('out of order'), reportOf(eventId));

    expect((await held(spool)).map((envelope) => envelope.eventId)).toEqual([eventId]);
  });

  it('reports one error object each time it is thrown', async () => {
    const ids = [newEventId(), newEventId()];
    const error = new Error('thrown again');
    for (const eventId of ids) await reporter.report(error, reportOf(eventId));

    expect((await held(spool)).map((envelope) => envelope.eventId)).toEqual(ids);
  });

  it('reports more failures at a time than the buffers of the SDK hold by default', async () => {
    const ids = Array.from({ length: 200 }, newEventId);
    await Promise.all(
      ids.map((eventId) => reporter.report(new Error(`failure ${eventId}`), reportOf(eventId))),
    );

    expect(new Set((await held(spool)).map((envelope) => envelope.eventId))).toEqual(new Set(ids));
  });

  it('ends the wait for a report that the spool does not take', async () => {
    await spool.close();

    await expect(reporter.report(new Error('too late'), reportOf(newEventId()))).resolves.toBeUndefined();
  });
});

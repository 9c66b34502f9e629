import { setImmediate } from 'node:timers/promises';
import type { EventStore } from '../store/event-store.ts';
import { ClientCopy } from './client-copy.ts';

const FOLDER = { root: '/srv/client', files: [{ path: 'a-AbCd1234.js', isText: true }] };
const COUNTS = { added: 1, skipped: 0, removed: 0, files: 1, bytes: 9 };

describe('ClientCopy', () => {
  let asked: unknown[];
  let lines: unknown[];
  let answer: (procedure: string) => Promise<unknown>;
  let copy: ClientCopy;

  beforeEach(() => {
    asked = [];
    lines = [];
    answer = (procedure) => Promise.resolve(procedure === 'storeClientFiles' ? COUNTS : undefined);
    const ask = (procedure: string, ...args: unknown[]) => {
      asked.push([procedure, ...args]);
      return answer(procedure);
    };
    const log = (...[fields, message]: unknown[]) => void lines.push([message, fields]);
    copy = new ClientCopy({ ask } as unknown as EventStore, () => ({ release: 'shop@1', maxBytes: 7 }), {
      error: log,
      info: log,
      warn: log,
    });
    copy.useFilesOf(() => [FOLDER]);
  });

  const started = async (): Promise<void> => {
    const jobs = copy.start();
    await setImmediate();
    jobs.forEach((job) => job.stop());
  };

  it('stores the files first, then the source maps', async () => {
    const stored = Promise.withResolvers<unknown>();
    answer = (procedure) => (procedure === 'storeClientFiles' ? stored.promise : Promise.resolve());
    await started();
    const before = [...asked];
    stored.resolve(COUNTS);
    await setImmediate();

    expect(before).toEqual([['storeClientFiles', [FOLDER], 7]]);
    expect(asked.slice(1)).toEqual([['storeSourceMaps', { release: 'shop@1', maxBytes: 7 }, false]]);
    expect(lines).toEqual([['client_files_stored', COUNTS]]);
  });

  it('stores source maps, and says that the files were tried, also where these could not be stored', async () => {
    const err = new Error('the disk is full');
    answer = (procedure) => (procedure === 'storeClientFiles' ? Promise.reject(err) : Promise.resolve());

    await started();
    await copy.tried;

    expect(asked).toHaveLength(2);
    expect(lines).toEqual([['client_files_not_stored', { err }]]);
  });

  it('warns of files that it has left out', async () => {
    const counts = { ...COUNTS, added: 0, skipped: 2, tooMany: 3, unreadable: 'EACCES' };
    answer = (procedure) => Promise.resolve(procedure === 'storeClientFiles' ? counts : undefined);

    await started();

    expect(lines).toEqual([
      ['client_files_too_large', counts],
      ['client_files_too_many', counts],
      ['client_files_unreadable', counts],
    ]);
  });

  it('stores the files and maps of a new build', async () => {
    const jobs = copy.start();
    await setImmediate();
    asked.length = 0;

    await copy.clientChanged();
    await setImmediate();
    jobs.forEach((job) => job.stop());

    expect(asked).toEqual([
      ['storeClientFiles', [FOLDER], 7],
      ['storeSourceMaps', { release: 'shop@1', maxBytes: 7 }, true],
    ]);
  });

  it('stores no files of another application', async () => {
    copy.useFilesOf(() => []);

    await started();
    await copy.tried;

    expect(asked).toEqual([['storeSourceMaps', { release: 'shop@1', maxBytes: 7 }, false]]);
  });
});

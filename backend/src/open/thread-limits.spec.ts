import { readConfig } from '../config/config.ts';
import type { Caps } from '../maintenance/caps.ts';
import { spoolData } from './open-spool.ts';
import { storeData } from './open-store.ts';

const LOW: Caps = { store: 1, storeFile: 2, storeLog: 3, sourceMaps: 4, spool: 5, deadLetters: 6 };
const RAISED: Caps = { store: 10, storeFile: 20, storeLog: 30, sourceMaps: 40, spool: 50, deadLetters: 60 };

describe('a thread that starts again after the caps were raised', () => {
  const config = readConfig({});
  const options = { config, clientDir: '/client', applicationRoot: '/srv', release: 'shop@1' };

  it.each([
    ['spool', spoolData],
    ['store', (_: typeof config, caps: { current: Caps }) => storeData(options, caps, 1)],
  ] as const)('has the raised limits of the %s', (_name, dataOf) => {
    const caps = { current: LOW };
    const data = dataOf(config, caps);
    caps.current = RAISED;

    // As the data reaches a thread.
    expect(structuredClone(data).limits).toEqual(dataOf(config, { current: RAISED }).limits);
    expect(dataOf(config, { current: LOW }).limits).not.toEqual(data.limits);
  });
});

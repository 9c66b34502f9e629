import { type Caps, effectiveCaps } from './caps.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const SPOOL_OTHER = 32 * MIB;

/** Caps as set: by default, with PostgreSQL, and with a small store and a small spool. */
const DEFAULT: Caps = {
  store: 5 * GIB,
  storeFile: 10 * GIB,
  storeLog: 64 * MIB,
  sourceMaps: 256 * MIB,
  spool: 512 * MIB,
  deadLetters: 64 * MIB,
};
const POSTGRES: Caps = { ...DEFAULT, storeFile: 0, storeLog: 0 };
const SMALL: Caps = { ...DEFAULT, store: 100 * MIB, storeFile: 200 * MIB, spool: 16 * MIB };
const SETTINGS = { DEFAULT, POSTGRES, SMALL };

const VOLUMES = {
  '64 MB': 64e6,
  '128 MB': 128e6,
  '300 MB': 300e6,
  '2 GB': 2e9,
  '12 GB': 12e9,
  '500 GB': 500e9,
};

/** Returns, in MiB: data, file and log of the store, source maps, spool, dead letters. */
function inMib({ store, storeFile, storeLog, sourceMaps, spool, deadLetters }: Caps): readonly number[] {
  const caps = [store, storeFile, storeLog, sourceMaps, spool, deadLetters];
  return caps.map((bytes) => Math.round(bytes / MIB));
}

describe('effectiveCaps', () => {
  it.each([
    ['64 MB', 'DEFAULT', [4, 8, 1, 1, 4, 1], 'too small'],
    ['128 MB', 'DEFAULT', [16, 32, 4, 4, 16, 2], 'too small'],
    ['300 MB', 'DEFAULT', [32, 64, 8, 8, 130, 16], 'lowered'],
    ['2 GB', 'DEFAULT', [570, 1140, 64, 142, 512, 64], 'lowered'],
    ['12 GB', 'DEFAULT', [5100, 10200, 64, 256, 512, 64], 'lowered'],
    ['500 GB', 'DEFAULT', [5120, 10240, 64, 256, 512, 64], 'as set'],
    ['64 MB', 'POSTGRES', [5120, 0, 0, 256, 23, 3], 'too small'],
    ['128 MB', 'POSTGRES', [5120, 0, 0, 256, 75, 9], 'lowered'],
    ['300 MB', 'POSTGRES', [5120, 0, 0, 256, 213, 27], 'lowered'],
    ['2 GB', 'POSTGRES', [5120, 0, 0, 256, 512, 64], 'as set'],
    ['128 MB', 'SMALL', [19, 38, 5, 5, 10, 1], 'too small'],
    ['300 MB', 'SMALL', [61, 123, 15, 15, 16, 2], 'lowered'],
    ['2 GB', 'SMALL', [100, 200, 64, 256, 16, 64], 'as set'],
  ] as const)('on %s with settings %s are, in MiB, %j: %s', (volume, settings, expected, state) => {
    const { caps, isLowered, isTooSmall } = effectiveCaps(SETTINGS[settings], VOLUMES[volume]);

    expect(inMib(caps)).toEqual(expected);
    expect(isLowered).toBe(state !== 'as set');
    expect(isTooSmall).toBe(state === 'too small');
  });

  it.each([
    ['128 MB', { storeFile: 60 * MIB, spool: 0 }, [120, 60, 8, 60, 16, 2]],
    ['128 MB', { storeFile: 0, spool: 80 * MIB }, [10, 21, 3, 3, 84, 11]],
    ['300 MB', { storeFile: 120 * MIB, spool: 0 }, [240, 120, 15, 120, 74, 9]],
    ['300 MB', { storeFile: 0, spool: 150 * MIB }, [28, 56, 7, 7, 158, 20]],
    ['2 GB', { storeFile: 1_300 * MIB, spool: 300 * MIB }, [2600, 1300, 64, 256, 370, 46]],
  ] as const)(
    'on %s with files of %j are, in MiB, %j: never below the files',
    (volume, present, expected) => {
      expect(inMib(effectiveCaps(DEFAULT, VOLUMES[volume], present).caps)).toEqual(expected);
    },
  );

  it('are not above the settings for files of any size', () => {
    const { caps } = effectiveCaps(SMALL, VOLUMES['300 MB'], { storeFile: 250 * MIB, spool: 20 * MIB });

    expect([caps.store, caps.storeFile, caps.spool]).toEqual([SMALL.store, SMALL.storeFile, SMALL.spool]);
  });

  it.each(Object.entries(VOLUMES))('add up to at most 95 %% of %s', (_name, availableBytes) => {
    const sums = Object.values(SETTINGS).map((wanted) => {
      const { caps } = effectiveCaps(wanted, availableBytes);
      return caps.storeFile + caps.storeLog + caps.spool + caps.deadLetters + SPOOL_OTHER;
    });

    expect(Math.max(...sums)).toBeLessThanOrEqual(0.95 * availableBytes);
  });

  it('leave the store the room that the largest event needs', () => {
    const { caps } = effectiveCaps(DEFAULT, 300e6);

    const used = caps.storeFile + caps.storeLog + caps.spool + caps.deadLetters + SPOOL_OTHER;

    expect(300e6 - used).toBeGreaterThanOrEqual((24 + 3 * 4) * MIB);
  });
});

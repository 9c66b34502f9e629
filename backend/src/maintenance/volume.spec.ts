import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Log } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { VolumeCaps } from './volume.ts';

const MIB = 2 ** 20;
const SPOOL = 512 * MIB;
const EXT4 = 0xef53;
const NFS = 0x6969;

describe('the caps of a volume', () => {
  let directory: string;
  let metrics: Metrics;
  let freeBytes: number;
  let fileSystem: number;
  const logged: unknown[] = [];
  const note = (_fields: unknown, event: string): void => void logged.push(event);
  const log = { info: note, warn: note } as unknown as Log;

  function newCaps(databaseUrl: string | null = null): VolumeCaps {
    const settings = { storeMaxBytes: 5_120 * MIB, sourceMapsMaxBytes: 256 * MIB, spoolMaxBytes: SPOOL };
    const config = { ...settings, databaseUrl, dataDir: directory } as Config;
    return new VolumeCaps(
      { config, log, metrics },
      () => freeBytes,
      () => fileSystem,
    );
  }

  async function spoolGauge(): Promise<number> {
    const text = await metrics.registry.getSingleMetricAsString('errata_cap_bytes');
    return Number(/errata_cap_bytes\{of="spool"\} (\d+)/.exec(text)?.[1]);
  }

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-volume-'));
    metrics = new Metrics();
    logged.length = 0;
    fileSystem = EXT4;
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('are those of the settings again when a volume that was full at the start has room', async () => {
    freeBytes = 0;
    const caps = newCaps();
    const atStart = [caps.current.spool, await spoolGauge(), caps.raise()];

    freeBytes = 500e9;

    expect(atStart).toEqual([4 * MIB, 4 * MIB, false]);
    expect([caps.raise(), caps.current.spool, await spoolGauge()]).toEqual([true, SPOOL, SPOOL]);
    expect(logged).toEqual(['caps_lowered', 'volume_too_small', 'caps_raised']);
  });

  it('stay while the volume has less room, or only a little more', () => {
    freeBytes = 300e6;
    const caps = newCaps();
    const before = caps.current;

    const raised = [0, 200e6, 301e6].map((bytes) => {
      freeBytes = bytes;
      return caps.raise();
    });

    expect(raised).toEqual([false, false, false]);
    expect(caps.current).toBe(before);
  });

  it('stay raised when others take the room again', () => {
    freeBytes = 300e6;
    const caps = newCaps();
    freeBytes = 2e9;
    const raised = caps.raise();
    const { current } = caps;
    freeBytes = 300e6;

    expect([raised, caps.raise()]).toEqual([true, false]);
    expect(caps.current).toBe(current);
    expect(logged).toEqual(['caps_lowered', 'caps_raised']);
  });

  it.each(['spool.db', 'store.db'])('are not below the size of %s at a start on a full volume', (name) => {
    freeBytes = 0;
    writeFileSync(join(directory, name), Buffer.alloc(100 * MIB));

    const { spool, storeFile } = newCaps().current;

    expect(name === 'spool.db' ? spool / 1.05 : storeFile).toBeCloseTo(100 * MIB, -1);
  });

  it('count the own files as room, and with PostgreSQL no file of the store', () => {
    freeBytes = 0;
    writeFileSync(join(directory, 'spool.db'), Buffer.alloc(64 * MIB));

    const { spool, storeFile } = newCaps('postgres://localhost/errata').current;

    expect([Math.round(spool / MIB), storeFile]).toEqual([67, 0]);
  });

  it.each([
    ['a warning on a volume of another machine', NFS, ['network_file_system']],
    ['no warning on a local one', EXT4, []],
  ])('come with %s', (_, type, events) => {
    freeBytes = 500e9;
    fileSystem = type;

    newCaps();

    expect(logged).toEqual(events);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { TICKS_PER_SECOND } from './cores.ts';

/** What Linux tells of a process (proc(5)). */

const MIB_IN_KIB = 1_024;

export interface Memory {
  /** Most it ever had in memory (VmHWM), in MiB. */
  readonly peakMiB: number;
  /** Resident memory now (VmRSS), MiB. */
  readonly nowMiB: number;
}

/** CPU seconds of one thread so far. */
export interface ThreadTime {
  readonly name: string;
  readonly seconds: number;
}

/** The command's name may hold blanks: fields are counted behind its closing bracket (there 14 and 15, from 1). */
function cpuOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** CPU seconds of a process, with those of its children that have ended. */
function cpuWithEnded(stat: string): number {
  const [user, system, endedUser, endedSystem] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return (
    [user, system, endedUser, endedSystem].reduce((all, ticks) => all + Number(ticks), 0) / TICKS_PER_SECOND
  );
}

/** All that a process has started, directly or not, with the CPU seconds of each so far. */
export function descendants(pid: number): ReadonlyMap<number, number> {
  const all = new Map<number, { readonly parent: number; readonly seconds: number }>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = textOf(`/proc/${entry}/stat`);
    if (stat === undefined) continue;
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    all.set(Number(entry), { parent, seconds: cpuWithEnded(stat) });
  }
  const isBelow = (id: number): boolean => {
    for (let at = all.get(id)?.parent; at !== undefined; at = all.get(at)?.parent)
      if (at === pid) return true;
    return false;
  };
  return new Map([...all].filter(([id]) => isBelow(id)).map(([id, { seconds }]) => [id, seconds]));
}

/** Undefined once the process has ended. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** CPU seconds used so far, all threads; undefined once it has ended. */
export function cpuSeconds(pid: number): number | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : cpuOf(stat);
}

/** Its threads in the order in which they were started; those that end meanwhile are left out. */
export function threadTimes(pid: number): readonly ThreadTime[] {
  const ids = readdirSync(`/proc/${pid}/task`).map(Number);
  return ids
    .sort((one, other) => one - other)
    .flatMap((id) => {
      try {
        const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8');
        const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        return [{ name, seconds: cpuOf(stat) }];
      } catch {
        return [];
      }
    });
}

export function memory(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) / MIB_IN_KIB;
  return { peakMiB: mib('VmHWM'), nowMiB: mib('VmRSS') };
}

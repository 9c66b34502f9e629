import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment, Trial } from '../experiment.ts';
import type { Findings } from '../findings.ts';
import { judge } from '../parts/judge.ts';
import { memoryOf, slopeOf } from '../parts/process-state.ts';
import { Rig } from '../parts/rig.ts';

const LIMIT_MIB = 512;
/** Errata answers 503 when a commit takes longer; it also does so when the machine does not run it. */
const COMMIT_LIMIT_MS = 2_000;
/**
 * Both limits are far below the slope of a leak of all data: 13 MiB a minute of ordinary errors in the long form, and
 * 750 MiB a minute of errors with a screenshot in the short form, whose heap has not settled yet.
 */
const SHORT = { seconds: 16, settleSeconds: 7, perSecond: 100, slopeMiB: 400, attachmentKiB: 128 };
const LONG = { seconds: 600, settleSeconds: 120, perSecond: 100, slopeMiB: 2, attachmentKiB: 0 };

// A leak shows in time only: the short form detects none but one of all data.
export const experiments: readonly Experiment[] = [
  { id: 'F15', fault: 'outage + load, 512 MiB, 10 min', isLeftOut: true, run: fillMemory },
];

async function fillMemory(trial: Trial): Promise<void> {
  const { findings } = trial;
  const size = trial.scale === 'long' ? LONG : SHORT;
  const rig = await Rig.start(trial);
  await rig.upstream.down();
  let readings: readonly number[] = [];
  // Only late commits depend on time. The delivery of the backlog takes minutes, in which the bench may stall.
  await findings.timed(COMMIT_LIMIT_MS, async (times) => {
    readings = await readMemory(rig, size, findings, times);
  });
  findings.atMost('RSS at its peak', memoryOf(rig.errata.pid).peakMiB, LIMIT_MIB, ' MiB');
  findings.atMost('slope', slopeOf(readings.slice(size.settleSeconds)) * 60, size.slopeMiB, ' MiB/min');
  await rig.upstream.up();
  await judge(rig, findings, { atLeast: size.perSecond });
}

/** Returns the memory at each second under load, MiB. */
async function readMemory(
  rig: Rig,
  size: typeof SHORT,
  findings: Findings,
  times: Findings,
): Promise<readonly number[]> {
  const load = rig.load({
    senders: 8,
    perSecond: size.perSecond,
    kinds: ['error'],
    ...(size.attachmentKiB > 0 ? { attachment: randomBytes(size.attachmentKiB * 1_024) } : {}),
  });
  const readings: number[] = [];
  for (let second = 0; second < size.seconds; second += 1) {
    await delay(1_000);
    readings.push(memoryOf(rig.errata.pid).nowMiB);
  }
  await load.stop();
  findings.equal('answers other than 200', load.countOthers(200), 0);
  times.equal('late commits', load.late, 0);
  return readings;
}

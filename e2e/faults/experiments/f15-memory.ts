import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { memoryOf, slopeOf } from '../parts/process-state.ts';
import { Rig } from '../parts/rig.ts';

const LIMIT_MIB = 512;
/**
 * Both limits are far below the slope of a leak of all data: 13 MiB a minute of ordinary errors in the long form, and
 * 750 MiB a minute of errors with a screenshot in the short form, whose heap has not settled yet.
 */
const SHORT = { seconds: 16, settleSeconds: 7, perSecond: 100, slopeMiB: 400, attachmentKiB: 128 };
const FULL = { seconds: 600, settleSeconds: 120, perSecond: 100, slopeMiB: 2, attachmentKiB: 0 };

export const memory: Experiment = {
  id: 'F15',
  fault: 'outage + load, 512 MiB, 10 min',
  target: `RSS < 512 MiB; its slope after 2 min <= ${FULL.slopeMiB} MiB/min (short form: ${SHORT.settleSeconds} s, ${SHORT.slopeMiB} MiB/min)`,
  run: async (trial) => {
    const { findings } = trial;
    const form = trial.isFull ? FULL : SHORT;
    const rig = await Rig.start(trial);
    await rig.upstream.down();
    const load = rig.load({
      senders: 8,
      perSecond: form.perSecond,
      kinds: ['error'],
      ...(form.attachmentKiB > 0 ? { attachment: randomBytes(form.attachmentKiB * 1_024) } : {}),
    });
    const readings: number[] = [];
    for (let second = 0; second < form.seconds; second += 1) {
      await delay(1_000);
      readings.push(memoryOf(rig.errata.pid).nowMiB);
    }
    await load.stop();
    const { peakMiB } = memoryOf(rig.errata.pid);
    findings.atMost('RSS at its peak', peakMiB, LIMIT_MIB, ' MiB');
    const perMinute = slopeOf(readings.slice(form.settleSeconds)) * 60;
    findings.atMost('slope', perMinute, form.slopeMiB, ' MiB/min');
    findings.equal('answers other than 200', load.answers.length - load.count(200), 0);
    await rig.upstream.up();
    await judge(rig, findings, { timeoutMs: trial.isFull ? 900_000 : 90_000, atLeast: form.perSecond });
  },
};

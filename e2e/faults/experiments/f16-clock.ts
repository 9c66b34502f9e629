import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment, Trial } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { fate } from '../parts/ledger.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome, since, waitFor } from '../parts/waiting.ts';

const HELD_MS = 1_000;
const SLACK_MS = 1_000;
/** Far longer than the longest pause of the test setup, far shorter than the hour. */
const DELIVERED_WITHIN_S = 5;

export const clock: Experiment = {
  id: 'F16',
  fault: 'clock jumps one hour forward and back',
  target: 'delivered within 5 s; sent_at moved by the time in the queue',
  run: async (trial) => {
    await jump(trial, 'SIGUSR2', 'an hour on');
    await jump(trial, 'SIGHUP', 'an hour back');
  },
};

/** Sends an envelope, moves the clock while the envelope is queued, and starts the upstream again. */
async function jump(trial: Trial, signal: NodeJS.Signals, what: string): Promise<void> {
  const { findings } = trial;
  const nodeOptions = [`--import=${join(import.meta.dirname, '..', 'preload', 'shift-clock.ts')}`];
  const rig = await Rig.start(trial, { nodeOptions });
  await rig.upstream.down();
  const { made } = await rig.send();
  const heldSinceMs = performance.now();
  await delay(HELD_MS);
  process.kill(rig.errata.pid, signal);
  await mustCome('the jump', () => rig.errata.records.some(({ msg }) => msg === 'bench_clock'));
  await rig.upstream.up();
  const upAtMs = performance.now();
  const arrival = (): (typeof rig.upstream.seen)[number] | undefined =>
    rig.upstream.seen.find(({ id }) => id === made.id);
  await waitFor(() => arrival() !== undefined, 20_000);
  const heldMs = since(heldSinceMs);
  findings.atMost(`${what}: delivered after`, since(upAtMs) / 1_000, DELIVERED_WITHIN_S, ' s');
  const sent = JSON.parse(made.bytes.toString('utf8', 0, made.bytes.indexOf('\n'))) as { sent_at: string };
  const movedMs = Date.parse(arrival()?.sentAt ?? '') - Date.parse(sent.sent_at);
  findings.add(
    movedMs >= 0 && Math.abs(movedMs - heldMs) <= SLACK_MS,
    `sent_at moved by ${(movedMs / 1_000).toFixed(1)} s, held ${(heldMs / 1_000).toFixed(1)} s`,
  );
  findings.equal('expired', await fate(rig.errata, 'expired'), 0);
  await judge(rig, findings, { duplicates: 0 });
  await rig.errata.kill();
}

import type { Experiment, Trial } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { deliveries, fate } from '../parts/ledger.ts';
import { preload } from '../parts/preload.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome, since } from '../parts/waiting.ts';

/** Failed attempts while the envelope is queued, and the least time for which it is. */
const FAILED_ATTEMPTS = 3;
const HELD_MS = 1_100;
/** Times are rounded to milliseconds, by both processes. */
const ROUNDING_MS = 10;
/** Far longer than the longest pause of the test setup, far shorter than the hour. */
const DELIVERED_WITHIN_MS = 5_000;

export const clock: Experiment = {
  id: 'F16',
  fault: 'clock jumps one hour forward and back',
  target: 'delivered within 5 s; sent_at moved by the time in the queue',
  run: jumpBothWays,
  gate: jumpBothWays,
};

async function jumpBothWays(trial: Trial): Promise<void> {
  await jump(trial, 'SIGUSR2', 'an hour on');
  await jump(trial, 'SIGHUP', 'an hour back');
}

/** Sends an envelope, moves the clock while the envelope is queued, and starts the upstream again. */
async function jump(trial: Trial, signal: NodeJS.Signals, what: string): Promise<void> {
  const { findings } = trial;
  await findings.duration(`${what}: delivered after`, DELIVERED_WITHIN_MS, async () => {
    const rig = await Rig.start(trial, { nodeOptions: [preload('shift-clock')] });
    const { upstream, errata } = rig;
    await upstream.down();
    const postedAtMs = performance.now();
    const { made } = await rig.send();
    const answeredAtMs = performance.now();
    const isHeld = async (): Promise<boolean> =>
      since(answeredAtMs) > HELD_MS && (await deliveries(errata, 1, 'retry')) >= FAILED_ATTEMPTS;
    await mustCome('time in the queue', isHeld);
    process.kill(errata.pid, signal);
    await mustCome('the jump', () => errata.records.some(({ msg }) => msg === 'bench_clock'));
    const upAtMs = performance.now();
    await upstream.up();
    const arrival = (): (typeof upstream.seen)[number] | undefined =>
      upstream.seen.find(({ id }) => id === made.id);
    await mustCome('the envelope', () => arrival() !== undefined);
    const tookMs = since(upAtMs);
    const sent = JSON.parse(made.bytes.toString('utf8', 0, made.bytes.indexOf('\n'))) as { sent_at: string };
    const movedMs = Date.parse(arrival()?.sentAt ?? '') - Date.parse(sent.sent_at);
    // It was received between the post and its answer, and sent between the start of the upstream and the arrival.
    const leastMs = upAtMs - answeredAtMs - ROUNDING_MS;
    const mostMs = (arrival()?.atMs ?? Number.NaN) - postedAtMs + ROUNDING_MS;
    findings.add(
      movedMs >= leastMs && movedMs <= mostMs,
      `${what}: sent_at moved by ${movedMs} ms (${Math.floor(leastMs)}-${Math.ceil(mostMs)} ms)`,
    );
    findings.equal('expired', await fate(errata, 'expired'), 0);
    await judge(rig, findings, { duplicates: 0 });
    await errata.kill();
    return tookMs;
  });
}

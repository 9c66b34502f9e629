import type { Experiment, Trial } from '../experiment.ts';
import { hang, take } from '../parts/answers.ts';
import { judge } from '../parts/judge.ts';
import { bodyBytes } from '../parts/ledger.ts';
import { Rig } from '../parts/rig.ts';
import { uploadSlowly } from '../parts/slow-upload.ts';
import { mustCome, since } from '../parts/waiting.ts';

const DRAIN_S = 3;
/** Time to close the databases. */
const CLOSING_S = 2;
/** It would take 64 s. */
const SLOW_BODY = { announcedBytes: 2 ** 20, bytes: Buffer.alloc(16 * 1024, '{'), bytesPerSecond: 16 * 1024 };

export const experiments: readonly Experiment[] = [
  { id: 'F31', fault: 'SIGTERM during a slow upload and a delivery without an answer', run: stopWhileSlow },
];

/** Upload and delivery take longer than the stop may: both are cut at one deadline. */
async function stopWhileSlow(trial: Trial): Promise<void> {
  const { findings } = trial;
  const environment = { ERRATA_DRAIN_TIMEOUT: `${DRAIN_S}s` };
  const rig = await Rig.start(trial, { environment });
  rig.upstream.script = () => hang();
  await rig.send();
  const upload = uploadSlowly(rig.errata.url, SLOW_BODY);
  await mustCome(
    'delivery and upload',
    async () => rig.upstream.underWay > 0 && (await bodyBytes(rig.errata)) > 0,
  );

  await findings.duration('exit after', (DRAIN_S + CLOSING_S) * 1_000, async () => {
    const startedAtMs = performance.now();
    const code = await rig.errata.signal('SIGTERM');
    findings.add(code === 0, `exit code ${code}`);
    return since(startedAtMs);
  });
  const { status } = await upload;
  findings.add(status === null, `upload cut, answered ${status}`);
  const faults = rig.errata.records.filter(({ msg }) => String(msg).startsWith('part_not_closed'));
  findings.equal('parts that were not closed', faults.length, 0);

  rig.upstream.script = () => take();
  await rig.errata.start();
  await judge(rig, findings, { atLeast: 1, duplicates: 0 });
}

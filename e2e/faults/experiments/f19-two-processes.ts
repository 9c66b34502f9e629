import { ErrataProcess } from '../../fixtures/errata-process.ts';
import type { Experiment, Trial } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { Rig } from '../parts/rig.ts';

export const twoProcesses: Experiment = {
  id: 'F19',
  fault: 'two processes on one data directory',
  target: 'the second refuses to start, the first continues',
  run: startTwice,
  gate: startTwice,
};

async function startTwice(trial: Trial): Promise<void> {
  const { findings, scratch } = trial;
  const rig = await Rig.start(trial);
  const load = rig.load({ senders: 4 });
  const second = new ErrataProcess({ dataDir: rig.errata.dataDir });
  scratch.later(() => second.kill());

  const failed = await second.tryStart();
  await load.stop();

  findings.equal('the second ends with', failed?.code ?? 'nothing, it runs', 1);
  const message = failed?.stderr.trim() ?? '';
  const isClear = message.split('\n').length === 1 && message.includes(rig.errata.dataDir);
  findings.add(isClear, `its message: ${message.replace(rig.errata.dataDir, '<directory>')}`);
  findings.equal('answers of the first other than 200', load.countOthers(200), 0);
  await judge(rig, findings, { duplicates: 0 });
}

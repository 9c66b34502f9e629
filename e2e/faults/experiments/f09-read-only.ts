import { chmodSync } from 'node:fs';
import type { Experiment, Trial } from '../experiment.ts';
import { Rig } from '../parts/rig.ts';

export const readOnly: Experiment = {
  id: 'F9',
  fault: 'data directory read-only at start',
  target: 'exits with one line that names the directory; no 200',
  run: startReadOnly,
  gate: startReadOnly,
};

async function startReadOnly(trial: Trial): Promise<void> {
  const { findings, scratch } = trial;
  // Permissions do not stop root; a file system that is mounted read-only does.
  const isRoot = process.getuid?.() === 0;
  const dataDir = isRoot ? scratch.tmpfs('read-only', 'size=1m,ro') : scratch.folder('read-only');
  if (!isRoot) chmodSync(dataDir, 0o555);
  const rig = await Rig.start(trial, { dataDir, isStarted: false });

  const failed = await rig.errata.tryStart();

  if (failed === undefined) {
    const ready = await fetch(`${rig.errata.managementUrl}/readyz`);
    findings.add(ready.status !== 200, `it runs, /readyz says ${ready.status}`);
    const { answer } = await rig.send();
    findings.add(answer.status === 503, `an envelope is answered ${answer.status}`);
    return;
  }
  findings.equal('it ends with', failed.code ?? 'a signal', 1);
  const lines = failed.stderr.trim().split('\n');
  findings.add(
    lines.length === 1 && failed.stderr.includes(dataDir),
    `the message has ${lines.length} line and names the directory: ${failed.stderr.trim().replace(dataDir, '<directory>')}`,
  );
}

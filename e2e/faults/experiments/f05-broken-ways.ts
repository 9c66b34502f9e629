import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Experiment, Trial } from '../experiment.ts';
import { cutInBody, lose, take } from '../parts/answers.ts';
import { makeCertificates } from '../parts/certificates.ts';
import { FaultProxy } from '../parts/fault-proxy.ts';
import { judge } from '../parts/judge.ts';
import { emptied, fate } from '../parts/ledger.ts';
import { lacksProgram } from '../parts/machine.ts';
import { preload } from '../parts/preload.ts';
import { QUICK, Rig } from '../parts/rig.ts';
import { ScriptedUpstream } from '../parts/scripted-upstream.ts';

const HELD = 20;
/** Maximum number of envelopes that are accepted during one fault of the network. */
const ANSWERS_IN_FAULT = 20;

export const brokenWays: Experiment = {
  id: 'F5',
  fault: 'reset in mid-body, lost answer, DNS failure, expired certificate',
  target: '0 lost, <= 1 duplicate per lost answer',
  lacks: () => lacksProgram('openssl'),
  run: breakInAllWays,
  gate: breakInAllWays,
};

async function breakInAllWays(trial: Trial): Promise<void> {
  await resetAndLose(trial);
  await cutOnTheWay(trial);
  await nameGone(trial);
  await certificateExpired(trial);
}

/** One response in ten is lost, one request in ten is reset in mid-body. */
async function resetAndLose(trial: Trial): Promise<void> {
  const { random, findings } = trial;
  const rig = await Rig.start(trial);
  const { upstream } = rig;
  upstream.script = () => {
    if (random.chance(0.1)) return lose();
    return random.chance(0.1) ? cutInBody(random.between(1, 1_500)) : take();
  };
  const load = rig.load({ senders: 8, total: trial.form === 'long' ? 5_000 : 300, kinds: ['error'] });
  await load.done();
  await emptied(rig.errata);
  findings.add(true, 'the backlog is delivered while the faults continue');
  upstream.script = () => take();
  await judge(rig, findings, { duplicates: upstream.lostAnswers, atLeast: 300 });
  findings.atLeast('lost answers', upstream.lostAnswers, 10);
  await rig.errata.kill();
}

/** The network fails: slow, hanging, reset, cut and refused connections in random order. */
async function cutOnTheWay(trial: Trial): Promise<void> {
  const { random, findings } = trial;
  const upstream = new ScriptedUpstream();
  await upstream.up();
  const proxy = new FaultProxy(upstream.port);
  await proxy.up();
  trial.scratch.later(() => proxy.close());
  const environment = { ERRATA_UPSTREAM_HEADERS_TIMEOUT: '1s' };
  const rig = await Rig.start(trial, {
    upstream,
    dsn: upstream.dsn(1, '127.0.0.1', proxy.port),
    environment,
  });
  const load = rig.load({ senders: 4, perSecond: 100, kinds: ['error'] });
  for (let turn = 0; turn < (trial.form === 'long' ? 100 : 8); turn += 1) {
    const kind = (['delay', 'hang', 'reset', 'cut', 'refuse'] as const)[random.below(5)] ?? 'cut';
    await proxy.become({ kind, ms: random.between(10, 100), afterBytes: random.between(1, 20_000) });
    await load.untilCount(200, load.count(200) + 1 + random.below(ANSWERS_IN_FAULT));
    await proxy.become({ kind: 'pass' });
  }
  await load.stop();
  // Each fault may have lost the responses of all requests in flight.
  await judge(rig, findings, { atLeast: 50 });
  await rig.errata.kill();
}

async function nameGone(trial: Trial): Promise<void> {
  const file = join(trial.scratch.folder('names'), 'resolves');
  const upstream = new ScriptedUpstream();
  await upstream.up();
  const rig = await Rig.start(trial, {
    upstream,
    dsn: upstream.dsn(1, 'upstream.test'),
    environment: { ...QUICK, BENCH_NAME_FILE: file },
    nodeOptions: [preload('hide-name')],
  });
  const load = rig.load({ senders: 4, total: HELD, kinds: ['error'] });
  await load.done();
  trial.findings.equal('without a host name: queued', await fate(rig.errata, 'queued'), HELD);
  writeFileSync(file, '');
  await judge(rig, trial.findings, { duplicates: 0, atLeast: HELD });
  await rig.errata.kill();
}

async function certificateExpired(trial: Trial): Promise<void> {
  const { expired, valid, bundle } = makeCertificates(trial.scratch.folder('certificates'));
  const upstream = new ScriptedUpstream(expired);
  await upstream.up();
  const rig = await Rig.start(trial, { upstream, environment: { NODE_EXTRA_CA_CERTS: bundle } });
  const load = rig.load({ senders: 4, total: HELD, kinds: ['error'] });
  await load.done();
  trial.findings.equal('certificate expired: queued', await fate(rig.errata, 'queued'), HELD);
  upstream.renew(valid);
  await judge(rig, trial.findings, { duplicates: 0, atLeast: HELD });
  await rig.errata.kill();
}

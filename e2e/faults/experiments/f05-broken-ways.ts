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
import { Rig } from '../parts/rig.ts';
import { ScriptedUpstream } from '../parts/scripted-upstream.ts';

const ENVELOPES = { gate: 300, short: 300, long: 5_000 } as const;
const NETWORK_FAULTS = { gate: 8, short: 8, long: 100 } as const;
const HELD = 20;
/** Maximum number of envelopes that are accepted during one fault of the network. */
const ANSWERS_IN_FAULT = 20;

export const experiments: readonly Experiment[] = [
  {
    id: 'F5',
    fault: 'reset in mid-body, lost answer, DNS failure, expired certificate',
    lacks: () => lacksProgram('openssl'),
    run: breakInAllWays,
  },
];

/** One process has a DSN for each way to its upstream. */
async function breakInAllWays(trial: Trial): Promise<void> {
  const { scratch } = trial;
  const { expired, valid, bundle } = makeCertificates(scratch.folder('certificates'));
  const names = join(scratch.folder('names'), 'resolves');
  const upstream = new ScriptedUpstream();
  await upstream.up();
  const secure = new ScriptedUpstream(expired, upstream.seen);
  await secure.up();
  scratch.later(() => secure.down());
  const proxy = new FaultProxy(upstream.port);
  await proxy.up();
  scratch.later(() => proxy.close());
  const named = upstream.dsn(2, 'upstream.test');
  const secured = secure.dsn(3);
  const proxied = upstream.dsn(4, '127.0.0.1', proxy.port);
  const rig = await Rig.start(trial, {
    upstream,
    environment: {
      ERRATA_TUNNEL_DSNS: [named, secured, proxied].join(','),
      BENCH_NAME_FILE: names,
      NODE_EXTRA_CA_CERTS: bundle,
    },
    nodeOptions: [preload('hide-name')],
  });
  await resetAndLose(trial, rig);
  await holdAndRepair(trial, rig, [named, secured], () => {
    writeFileSync(names, '');
    secure.renew(valid);
  });
  await cutOnTheWay(trial, rig, proxy, proxied);
}

/** One response in ten is lost, one request in ten is reset in mid-body. */
async function resetAndLose({ random, findings, scale }: Trial, rig: Rig): Promise<void> {
  const { upstream } = rig;
  upstream.script = () => {
    if (random.chance(0.1)) return lose();
    return random.chance(0.1) ? cutInBody(random.between(1, 1_500)) : take();
  };
  await rig.load({ senders: 8, total: ENVELOPES[scale], kinds: ['error'] }).done();
  await emptied(rig.errata);
  findings.add(true, 'the backlog is delivered while the faults continue');
  upstream.script = () => take();
  await judge(rig, findings, { duplicates: upstream.lostAnswers, atLeast: ENVELOPES[scale] });
  findings.atLeast('lost answers', upstream.lostAnswers, 10);
}

/** The name of one upstream does not resolve, and the certificate of another one has expired. */
async function holdAndRepair(
  { findings }: Trial,
  rig: Rig,
  dsns: readonly string[],
  repair: () => void,
): Promise<void> {
  for (const dsn of dsns) await rig.load({ senders: 4, total: HELD, kinds: ['error'] }, dsn).done();
  const queued = await fate(rig.errata, 'queued');
  findings.equal('without a name and with an expired certificate: queued', queued, HELD * dsns.length);
  repair();
  await judge(rig, findings, { duplicates: rig.upstream.lostAnswers });
}

/** The network fails: slow, hanging, reset, cut and refused connections in random order. */
async function cutOnTheWay(
  { random, findings, scale }: Trial,
  rig: Rig,
  proxy: FaultProxy,
  dsn: string,
): Promise<void> {
  const load = rig.load({ senders: 4, perSecond: 100, kinds: ['error'] }, dsn);
  for (let turn = 0; turn < NETWORK_FAULTS[scale]; turn += 1) {
    const kind = (['delay', 'hang', 'reset', 'cut', 'refuse'] as const)[random.below(5)] ?? 'cut';
    await proxy.become({ kind, ms: random.between(10, 100), afterBytes: random.between(1, 20_000) });
    await load.untilCount(200, load.count(200) + 1 + random.below(ANSWERS_IN_FAULT));
    await proxy.become({ kind: 'pass' });
  }
  await load.stop();
  // Each fault may have lost the responses of all requests in flight.
  await judge(rig, findings, { atLeast: ENVELOPES[scale] + NETWORK_FAULTS[scale] });
}

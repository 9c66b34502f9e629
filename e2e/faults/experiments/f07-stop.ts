import type { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Experiment, Trial } from '../experiment.ts';
import { makeEnvelope } from '../parts/envelopes.ts';
import { judge } from '../parts/judge.ts';
import { type Answered, get, keptConnections, postUntilCommitted } from '../parts/post.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome, since } from '../parts/waiting.ts';

const STOPS = { gate: 1, short: 10, long: 10 } as const;
const SENDERS = 16;
/** A sender uses its connection again after at most this time, well within the second that Errata leaves for it. */
const PAUSE_MAX_MS = 100;
/** Requests of all senders before the signal: each has a connection that it uses again and again. */
const BEFORE = 5 * SENDERS;
const DRAIN_TIMEOUT_S = 10;
/** The second for idle connections, and the time to close the databases. */
const CLOSING_S = 2;

export const experiments: readonly Experiment[] = [
  { id: 'F7', fault: `SIGTERM with ${SENDERS} senders on keep-alive connections`, run: stopOften },
];

/** The connections of one stop, as their clients see them. */
interface Clients {
  answers: number;
  /** Whether a response said that its connection closes. */
  isAnnounced: boolean;
  /** Responses that did not say so although their request was sent later. */
  keptAlive: number;
  /** Requests without a response, by the reason. */
  readonly cuts: string[];
}

async function stopOften(trial: Trial): Promise<void> {
  const { findings } = trial;
  const stops = STOPS[trial.scale];
  const rig = await Rig.start(trial, {
    isStarted: false,
    environment: { ERRATA_DRAIN_TIMEOUT: `${DRAIN_TIMEOUT_S}s` },
  });
  let announced = 0;
  let keptAlive = 0;
  const resets: string[] = [];
  const codes: (number | null)[] = [];
  for (let done = 0; done < stops; done += 1) {
    await rig.errata.start();
    const clients: Clients = { answers: 0, isAnnounced: false, keptAlive: 0, cuts: [] };
    const ended = Promise.all(startClients(trial, rig, clients));
    await mustCome('load', () => clients.answers >= BEFORE);
    await findings.duration('exit after', (DRAIN_TIMEOUT_S + CLOSING_S) * 1_000, async () => {
      const startedAtMs = performance.now();
      codes.push(await rig.errata.signal('SIGTERM'));
      return since(startedAtMs);
    });
    await ended;
    announced += Number(clients.isAnnounced);
    keptAlive += clients.keptAlive;
    resets.push(...clients.cuts);
  }
  findings.add(resets.length === 0, `resets ${resets.length} ${[...new Set(resets)].join(' ')}`.trim());
  findings.equal('stops with Connection: close', announced, stops);
  findings.equal('later responses without it', keptAlive, 0);
  findings.equal('exit codes other than 0', codes.filter((code) => code !== 0).length, 0);
  await rig.errata.start();
  await judge(rig, findings, { atLeast: stops * BEFORE, duplicates: 0 });
}

/** Starts the senders and one client of the management listener. */
function startClients(trial: Trial, rig: Rig, clients: Clients): readonly Promise<void>[] {
  const { errata, dsn } = rig;
  const send = async (agent: Agent): Promise<Answered> => {
    const made = makeEnvelope(dsn, 'error');
    const answer = await postUntilCommitted(errata.url, made.bytes, agent);
    if (answer.status === 200) rig.acknowledge(made);
    return answer;
  };
  const probe = (agent: Agent): Promise<Answered> => get(`${errata.managementUrl}/livez`, agent);
  const senders = Array.from({ length: SENDERS }, () => repeat(trial, send, clients));
  return [...senders, repeat(trial, probe, clients)];
}

/**
 * Repeats a request on a connection of its own until a response says that it closes. Behind a proxy the next request would
 * go to another replica: a client that connects again races with the end of the listener.
 */
async function repeat(
  { random }: Trial,
  ask: (agent: Agent) => Promise<Answered>,
  clients: Clients,
): Promise<void> {
  const agent = keptConnections();
  for (;;) {
    const wasAnnounced = clients.isAnnounced;
    const answer = await ask(agent);
    if (answer.status === null) {
      clients.cuts.push(answer.cut);
      break;
    }
    clients.answers += 1;
    if (answer.headers.connection === 'close') {
      clients.isAnnounced = true;
      break;
    }
    if (wasAnnounced) clients.keptAlive += 1;
    await delay(random.below(PAUSE_MAX_MS));
  }
  agent.destroy();
}

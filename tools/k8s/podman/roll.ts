import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { errorEnvelope, newEventId } from '../../../e2e/fixtures/envelopes.ts';
import type { FakeUpstream } from '../../../e2e/fixtures/fake-upstream.ts';
import { findProgram } from '../programs.ts';
import { judge, missingAt, ready } from './checks.ts';
import { freePort } from './lab.ts';
import type { PodmanPod } from './podman-pod.ts';
import { NGINX, Proxy } from './proxy.ts';

const LEAST_REQUESTS = 500;
const SENDERS = 4;
/** Of each sender: 40 requests a second in all, which leaves the processors to the pods that start. */
const PAUSE_MS = 100;
/** From the deletion of a pod until the last proxy of a cluster knows it: below the seconds of preStop. */
const PROXY_LAG_MS = 2_000;

/** Replaces two pods one by one under load, in the order of a StatefulSet and its kubelets. */
export async function tryRoll(pods: readonly PodmanPod[], upstream: FakeUpstream): Promise<void> {
  const nginx = await findProgram(NGINX);
  if (nginx.path === null) {
    process.stdout.write(`SKIPPED roll of two pods: ${nginx.problem}\n`);
    return;
  }
  const proxy = new Proxy(await freePort());
  await proxy.start(
    nginx.path,
    pods.map(({ url }) => url),
  );
  const load = new Load(proxy.url, upstream.dsn);
  load.start();
  try {
    for (const pod of pods.toReversed()) await replace(pod, pods, proxy);
  } finally {
    await load.end();
    await proxy.stop();
  }
  const { statuses, accepted } = load;
  const failed = statuses.filter((status) => status !== 200);
  const isGood = failed.length === 0 && statuses.length >= LEAST_REQUESTS;
  const found = `${failed.length} fail: ${[...new Set(failed)].join(' ')}`;
  judge(`replicated: a roll of two pods fails 0 of ${statuses.length} requests`, isGood, found);
  const missing = await missingAt(upstream, accepted);
  judge(
    `replicated: all ${accepted.length} errors of the roll are delivered`,
    missing === 0,
    `${missing} are missing`,
  );
}

/** Podman has no preStop hooks and no endpoints: this function does both, at the times of a kubelet and of proxies. */
async function replace(pod: PodmanPod, pods: readonly PodmanPod[], proxy: Proxy): Promise<void> {
  const preStopMs = pod.plan.preStopSeconds * 1_000;
  const others = pods.filter((other) => other !== pod).map(({ url }) => url);
  const proxyLearns = delay(PROXY_LAG_MS).then(() => proxy.route(others));
  await delay(preStopMs);
  const { exitCode } = await pod.terminate();
  await proxyLearns;
  judge(`replicated: ${pod.plan.pod} ends with 0 in the roll`, exitCode === 0, String(exitCode));
  await pod.create();
  await ready(pod);
  proxy.route(pods.map(({ url }) => url));
}

/** Sends pages and envelopes at a steady rate until it is ended, and at least the requests that the roll needs. */
class Load {
  /** Null: the connection was cut. */
  readonly statuses: (number | null)[] = [];
  /** IDs of the errors that were answered with 200. */
  readonly accepted: string[] = [];
  readonly #url: string;
  readonly #dsn: string;
  #isEnding = false;
  #senders: readonly Promise<void>[] = [];

  constructor(url: string, dsn: string) {
    this.#url = url;
    this.#dsn = dsn;
  }

  start(): void {
    this.#senders = Array.from({ length: SENDERS }, () => this.#send());
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#senders);
  }

  async #send(): Promise<void> {
    while (!this.#isEnding || this.statuses.length < LEAST_REQUESTS) {
      this.statuses.push(await ask(`${this.#url}/`));
      const eventId = newEventId();
      const status = await ask(`${this.#url}/tunnel`, errorEnvelope(this.#dsn, eventId));
      this.statuses.push(status);
      if (status === 200) this.accepted.push(eventId);
      await delay(PAUSE_MS);
    }
  }
}

/** Sends a request on a connection of its own: a kept one could be closed by a reload of nginx just as it is used. */
function ask(url: string, body?: string): Promise<number | null> {
  return new Promise((resolve) => {
    const sending = request(url, { agent: false, method: body === undefined ? 'GET' : 'POST' }, (answer) => {
      answer.resume();
      answer.once('error', () => resolve(null));
      answer.once('end', () => resolve(answer.statusCode ?? null));
    });
    sending.once('error', () => resolve(null));
    sending.end(body);
  });
}

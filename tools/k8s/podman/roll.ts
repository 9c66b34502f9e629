import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { errorEnvelope, newEventId } from '../../../e2e/fixtures/envelopes.ts';
import type { FakeUpstream } from '../../../e2e/fixtures/fake-upstream.ts';
import { judge, judgeDelivery, ready } from './checks.ts';
import type { PodmanPod } from './podman-pod.ts';

const LEAST_REQUESTS = 500;
const SENDERS = 4;
/** Of each sender: 40 requests a second in all, which leaves the processors to the pods that start. */
const PAUSE_MS = 100;
/** From the deletion of a pod until the last proxy of a cluster knows it: below the seconds of preStop. */
const PROXY_LAG_MS = 2_000;

/** Replaces two pods one by one under load, in the order of a StatefulSet and its kubelets. */
export async function tryRoll(pods: readonly PodmanPod[], upstream: FakeUpstream): Promise<void> {
  const load = new Load(pods, upstream.dsn);
  const sending = Promise.all(Array.from({ length: SENDERS }, () => load.send()));
  try {
    for (const pod of pods.toReversed()) await replace(pod, pods, load);
  } finally {
    load.isEnding = true;
    await sending;
  }
  const failed = load.statuses.filter((status) => status !== 200);
  judge(
    `replicated: a roll of two pods fails 0 of ${load.statuses.length} requests`,
    failed.length === 0,
    `${failed.length} fail: ${[...new Set(failed.map(String))].join(' ')}`,
  );
  await judgeDelivery('replicated: errors of the roll', upstream, load.accepted);
}

/** Podman has no preStop hooks and no endpoints: this function does both, at the times of a kubelet and of proxies. */
async function replace(pod: PodmanPod, pods: readonly PodmanPod[], load: Load): Promise<void> {
  const proxiesLearn = delay(PROXY_LAG_MS).then(() => {
    load.endpoints = pods.filter((other) => other !== pod);
  });
  await delay(pod.plan.preStopSeconds * 1_000);
  const { exitCode } = await pod.terminate();
  await proxiesLearn;
  judge(`replicated: ${pod.plan.pod} ends with 0 in the roll`, exitCode === 0, String(exitCode));
  await pod.create();
  await ready(pod);
  load.endpoints = pods;
}

/**
 * Sends pages and envelopes at a steady rate, as a proxy of the Service does: in turn to its endpoints, over kept
 * connections, and without a second try, so that every failure of a pod is seen.
 */
class Load {
  /** Null: the connection was cut. */
  readonly statuses: (number | null)[] = [];
  /** IDs of the errors that were answered with 200. */
  readonly accepted: string[] = [];
  endpoints: readonly PodmanPod[];
  isEnding = false;
  readonly #dsn: string;
  readonly #agent = new Agent({ keepAlive: true });
  #asked = 0;

  constructor(endpoints: readonly PodmanPod[], dsn: string) {
    this.endpoints = endpoints;
    this.#dsn = dsn;
  }

  /** Sends until the load ends, and at least the requests that the roll needs. */
  async send(): Promise<void> {
    while (!this.isEnding || this.statuses.length < LEAST_REQUESTS) {
      await this.#ask('/');
      const eventId = newEventId();
      if ((await this.#ask('/tunnel', errorEnvelope(this.#dsn, eventId))) === 200)
        this.accepted.push(eventId);
      await delay(PAUSE_MS);
    }
  }

  #ask(path: string, body?: string): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<number | null>();
    const [pod] = this.endpoints.slice(this.#asked % this.endpoints.length);
    this.#asked += 1;
    const options = { agent: this.#agent, method: body === undefined ? 'GET' : 'POST' };
    const sending = request(`${pod?.url}${path}`, options, (answer) => {
      answer.resume();
      answer.once('error', () => resolve(null));
      answer.once('end', () => resolve(answer.statusCode ?? null));
    });
    sending.once('error', () => resolve(null));
    sending.end(body);
    return promise.then((status) => {
      this.statuses.push(status);
      return status;
    });
  }
}

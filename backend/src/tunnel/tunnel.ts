import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Counter } from 'prom-client';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Intake } from './intake.ts';
import { readBody } from './read-body.ts';
import { type ClientIp, senderOf, type TrustedHop } from './sender.ts';
import { sendTunnelAnswer, type TunnelAnswer } from './tunnel-answer.ts';

export interface TunnelOptions {
  readonly maxBytes: number;
  readonly clientIp: ClientIp;
  readonly isTrusted: TrustedHop;
}

/** From an HTTP request to the intake's verdict, and back. */
export class Tunnel {
  readonly #intake: Intake;
  readonly #metrics: Metrics;
  readonly #options: TunnelOptions;
  readonly #counters = new Map<TunnelAnswer['outcome'], Counter.Internal>();

  constructor(intake: Intake, metrics: Metrics, options: TunnelOptions) {
    this.#intake = intake;
    this.#metrics = metrics;
    this.#options = options;
  }

  /** Takes an envelope and answers once it is committed or refused. */
  async post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAtMs = performance.now();
    const answer = await this.#take(request);
    if (answer.outcome === 'accepted') {
      this.#metrics.commitSeconds.observe((performance.now() - startedAtMs) / 1_000);
    }
    this.#send(request, response, answer);
  }

  /** Anything but POST. */
  refuseMethod(request: IncomingMessage, response: ServerResponse): void {
    this.#send(request, response, { outcome: 'method', detail: 'use POST' });
  }

  /** The counter of one outcome; looked up once, as prom-client hashes the labels each time. */
  #answers(outcome: TunnelAnswer['outcome']): Counter.Internal {
    const known = this.#counters.get(outcome) ?? this.#metrics.tunnelAnswers.labels(outcome);
    this.#counters.set(outcome, known);
    return known;
  }

  async #take(request: IncomingMessage): Promise<TunnelAnswer> {
    // Every content type is accepted, also those a form can send: without this check any site could post here.
    if (request.headers['sec-fetch-site'] === 'cross-site') {
      return { outcome: 'cross_site', detail: 'posts from other sites are not accepted' };
    }
    const receivedAtMs = Date.now();
    const body = await readBody(request, this.#options.maxBytes);
    if (body.outcome !== 'ok') return body;
    const { isTrusted, clientIp } = this.#options;
    return this.#intake.take(body.bytes, senderOf(request, isTrusted, clientIp), receivedAtMs);
  }

  #send(request: IncomingMessage, response: ServerResponse, answer: TunnelAnswer): void {
    this.#answers(answer.outcome).inc();
    if (!response.destroyed) sendTunnelAnswer(request, response, answer);
  }
}

import type { Request, Response } from 'express';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Intake } from './intake.ts';
import { readBody } from './read-body.ts';
import { type ClientIp, senderOf } from './sender.ts';
import { sendTunnelAnswer, type TunnelAnswer } from './tunnel-answer.ts';

export interface TunnelOptions {
  readonly maxBytes: number;
  readonly clientIp: ClientIp;
}

/** From an HTTP request to the intake's verdict, and back. */
export class Tunnel {
  readonly #intake: Intake;
  readonly #metrics: Metrics;
  readonly #options: TunnelOptions;

  constructor(intake: Intake, metrics: Metrics, options: TunnelOptions) {
    this.#intake = intake;
    this.#metrics = metrics;
    this.#options = options;
  }

  /** Takes an envelope and answers once it is committed or refused. */
  async post(request: Request, response: Response): Promise<void> {
    const startedAtMs = performance.now();
    const answer = await this.#take(request);
    if (answer.outcome === 'accepted') {
      this.#metrics.commitSeconds.observe((performance.now() - startedAtMs) / 1_000);
    }
    this.#send(request, response, answer);
  }

  /** Anything but POST. */
  refuseMethod(request: Request, response: Response): void {
    this.#send(request, response, { outcome: 'method', detail: 'use POST' });
  }

  async #take(request: Request): Promise<TunnelAnswer> {
    // Every content type is accepted, also those a form can send: without this check any site could post here.
    if (request.headers['sec-fetch-site'] === 'cross-site') {
      return { outcome: 'cross_site', detail: 'posts from other sites are not accepted' };
    }
    const receivedAtMs = Date.now();
    const body = await readBody(request, this.#options.maxBytes);
    if (body.outcome !== 'ok') return body;
    return this.#intake.take(body.bytes, senderOf(request, this.#options.clientIp), receivedAtMs);
  }

  #send(request: Request, response: Response, answer: TunnelAnswer): void {
    this.#metrics.tunnelAnswers.inc({ outcome: answer.outcome });
    if (!response.destroyed) sendTunnelAnswer(request, response, answer);
  }
}

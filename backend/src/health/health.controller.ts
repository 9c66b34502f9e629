import { Controller, Get, Header, HttpCode, ServiceUnavailableException } from '@nestjs/common';
import { Metrics } from '../telemetry/metrics.ts';
import { Readiness } from './readiness.ts';

/** Returns probes and metrics on the management port. It must never depend on an upstream. */
@Controller()
export class HealthController {
  readonly #readiness: Readiness;
  readonly #metrics: Metrics;

  constructor(readiness: Readiness, metrics: Metrics) {
    this.#readiness = readiness;
    this.#metrics = metrics;
  }

  /** Reports only that the event loop runs: with more checks a slow disk would make Kubernetes kill the process. */
  @Get('livez')
  @HttpCode(200)
  live(): { readonly state: string } {
    return { state: 'live' };
  }

  @Get('readyz')
  ready(): { readonly state: string; readonly refusing?: string } {
    const { state, refusing } = this.#readiness;
    if (state !== 'ready') throw new ServiceUnavailableException({ state });
    return refusing === null ? { state } : { state, refusing };
  }

  @Get('startupz')
  started(): { readonly state: string } {
    if (!this.#readiness.isStarted) throw new ServiceUnavailableException({ state: 'starting' });
    return { state: 'started' };
  }

  @Get('metrics')
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(): Promise<string> {
    return this.#metrics.registry.metrics();
  }
}

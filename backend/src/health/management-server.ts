import { createServer, type Server, type ServerResponse } from 'node:http';
import { answerOptions, READS } from '../net/answer-options.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Readiness } from './readiness.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface ManagementAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Creates the server of the management port: probes and metrics. It must never depend on an upstream.
 *
 * It is no Nest application: in another application's process that would change the settings which Nest has once a process,
 * such as the logger.
 */
export function managementServer(readiness: Readiness, metrics: Metrics): Server {
  return createServer((request, response) => {
    const { url = '', method = '' } = request;
    const [path = ''] = url.split('?', 1);
    void managementAnswer(path, readiness, metrics).then(
      (answer) => {
        if (answer.status === 404 || method === 'GET' || method === 'HEAD') send(response, answer);
        else if (!answerOptions(request, response, READS))
          send(response, json(405, { state: 'method not allowed' }));
      },
      () => send(response, json(500, { state: 'failed' })),
    );
  });
}

export async function managementAnswer(
  path: string,
  readiness: Readiness,
  metrics: Metrics,
): Promise<ManagementAnswer> {
  switch (path) {
    // Only that the event loop runs: with more checks a slow disk would make Kubernetes kill the process.
    case '/livez':
      return json(200, { state: 'live' });
    case '/readyz': {
      const { state, rejecting } = readiness;
      return json(
        state === 'ready' ? 200 : 503,
        state !== 'ready' || rejecting === null ? { state } : { state, rejecting },
      );
    }
    case '/startupz':
      return readiness.isStarted ? json(200, { state: 'started' }) : json(503, { state: 'starting' });
    case '/metrics':
      return { status: 200, type: METRICS_TYPE, body: await metrics.registry.metrics() };
    default:
      return json(404, { state: 'not found' });
  }
}

function json(status: number, body: object): ManagementAnswer {
  return { status, type: JSON_TYPE, body: JSON.stringify(body) };
}

function send(response: ServerResponse, { status, type, body }: ManagementAnswer): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

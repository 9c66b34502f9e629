import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ERROR_PAGES } from '../errors/error-pages.fixture.ts';
import type { NewEnvelope } from '../sink/queued-envelope.ts';
import type { Appended } from '../spool/append.ts';
import { createLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { ManualTime } from '../time/manual-time.fixture.ts';
import { gatewayListener, type GatewayOptions } from './gateway-listener.ts';

/** Canonical DSN of the events. */
export const PROJECT = 'https://key@errors.example/1';
/** Headers of a gateway whose service is away. */
export const DEAD = { 'X-Code': '503', 'X-Service-Name': 'shop', 'X-Original-URI': '/cart?token=abc' };
export const DEAD_DIGEST = 'Y1C4-2NGZ';

export const APPENDED: Appended = { id: 1, isDuplicate: false, part: 0 };

/** The listener on a real socket, with a spool that commits when the test says so. */
export class OpenedListener {
  readonly time = new ManualTime();
  readonly metrics = new Metrics();
  readonly appended: NewEnvelope[] = [];
  readonly commits: PromiseWithResolvers<Appended>[] = [];
  readonly responses: ServerResponse[] = [];
  readonly #logged: string[] = [];
  readonly #server: Server;

  /** @param commitsAtOnce whether each append ends by itself. */
  constructor(changes: Partial<GatewayOptions> = {}, commitsAtOnce = true) {
    const append = (envelope: NewEnvelope): Promise<Appended> => {
      const commit = Promise.withResolvers<Appended>();
      this.appended.push(envelope);
      this.commits.push(commit);
      if (commitsAtOnce) commit.resolve(APPENDED);
      this.#server.emit('appended');
      return commit.promise;
    };
    const listener = gatewayListener({
      own: { project: PROJECT, environment: 'production' },
      spool: { append },
      pages: ERROR_PAGES,
      clients: { isOperatorPeer: () => true },
      log: createLog('info', { write: (line) => void this.#logged.push(line) }),
      metrics: this.metrics,
      time: this.time,
      ...changes,
    });
    this.#server = createServer((request, response) => {
      this.responses.push(response);
      listener(request, response);
    });
  }

  static async open(changes?: Partial<GatewayOptions>, commitsAtOnce?: boolean): Promise<OpenedListener> {
    const opened = new OpenedListener(changes, commitsAtOnce);
    await once(opened.#server.listen(0, '127.0.0.1'), 'listening');
    return opened;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Lines of the log so far. */
  get lines(): readonly unknown[] {
    return this.#logged.map((line) => JSON.parse(line) as unknown);
  }

  ask(headers: Record<string, string>, path = '/', init: RequestInit = {}): Promise<Response> {
    const all = { Accept: 'application/json', ...headers };
    return fetch(`http://127.0.0.1:${this.port}${path}`, { ...init, headers: all });
  }

  /** Asks for a page. Resolves once its event is on its way to the disk, and a page that does not wait for it would be sent. */
  async askUntilAppended(headers: Record<string, string>): Promise<{ readonly answer: Promise<Response> }> {
    const isAppended = once(this.#server, 'appended');
    const answer = this.ask(headers);
    await isAppended;
    await new Promise((resolve) => setImmediate(resolve));
    return { answer };
  }

  close(): void {
    this.#server.close();
  }
}

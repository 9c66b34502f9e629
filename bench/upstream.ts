import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child, freePort } from './child.ts';
import { cpuSeconds } from './proc.ts';

/**
 * Part of Debian's nginx-light. Without it nginx answers before it has read a body that comes in pieces, which the
 * clients of streaming tunnels take for a reset: they would make a connection per envelope.
 */
const ECHO_MODULE = '/usr/lib/nginx/modules/ngx_http_echo_module.so';

/** Its response to an envelope once it has read it: 200, at once or after 100 ms, or 503 as in an outage. */
export type Behaviour = 'takes' | 'delays' | 'refuses';

/** For nginx.conf. */
const ANSWER = `echo -n '{"id":"00000000000000000000000000000000"}';`;
const ANSWERS: Readonly<Record<Behaviour, string>> = {
  takes: ANSWER,
  delays: `echo_sleep 0.1; ${ANSWER}`,
  refuses: `echo_status 503; echo -n '{"detail":"unavailable"}';`,
};

/**
 * A stand-in for the service that reports go on to: an nginx that reads an envelope, answers, and counts. It is nginx
 * and not Node because it shares a core with the load, and has to be far from its own limit there.
 */
export class Upstream {
  readonly #directory: string;
  readonly #core: number;
  readonly #port: number;
  #child: Child;
  #behaviour: Behaviour;
  /** Requests for the counter itself, which nginx counts too. */
  #looks = 0;

  private constructor(directory: string, core: number, port: number, child: Child) {
    this.#directory = directory;
    this.#core = core;
    this.#port = port;
    this.#child = child;
    this.#behaviour = 'takes';
  }

  /** Starts one that takes. */
  static async start(directory: string, core: number): Promise<Upstream> {
    const port = await freePort();
    return new Upstream(directory, core, port, await startNginx(directory, core, port, 'takes'));
  }

  get dsn(): string {
    return `http://0123456789abcdef0123456789abcdef@127.0.0.1:${this.#port}/1`;
  }

  get cpuSeconds(): number {
    return cpuSeconds(this.#child.pid) ?? 0;
  }

  /**
   * Restarts it with another behaviour; the count begins at zero. It is a restart because nginx counts requests and
   * not answers: so nothing that was refused is ever counted as delivered.
   */
  async become(behaviour: Behaviour): Promise<void> {
    if (behaviour === this.#behaviour) return;
    await this.#child.stop();
    this.#child = await startNginx(this.#directory, this.#core, this.#port, behaviour);
    this.#behaviour = behaviour;
    this.#looks = 0;
  }

  /** Envelopes answered since it began to behave as it does. */
  async answered(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}/status`);
    this.#looks += 1;
    // stub_status: the third number of the line below "server accepts handled requests".
    const requests = /\n\s*\d+\s+\d+\s+(\d+)/.exec(await answer.text())?.[1];
    return Number(requests) - this.#looks;
  }

  async stop(): Promise<void> {
    await this.#child.stop();
  }
}

async function startNginx(
  directory: string,
  core: number,
  port: number,
  behaviour: Behaviour,
): Promise<Child> {
  const path = join(directory, `nginx-${behaviour}.conf`);
  writeFileSync(path, configuration(directory, port, behaviour));
  const command = ['nginx', '-p', directory, '-c', path, '-e', join(directory, 'nginx-error.log')];
  const environment = { PATH: `${process.env['PATH']}:/usr/sbin` };
  const child = Child.start('nginx', core, command, environment, join(directory, 'nginx.log'));
  await child.listens(port);
  return child;
}

function configuration(directory: string, port: number, behaviour: Behaviour): string {
  return `
load_module ${ECHO_MODULE};
daemon off;
master_process off;
pid ${directory}/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  client_max_body_size 0;
  client_body_buffer_size 64k;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  default_type application/json;
  server {
    listen 127.0.0.1:${port};
    location = /api/1/envelope/ {
      echo_read_request_body;
      ${ANSWERS[behaviour]}
    }
    location = /status { stub_status; }
  }
}
`;
}

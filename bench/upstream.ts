import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from './child.ts';

/**
 * Part of Debian's nginx-light. Without it nginx answers before it has read a body that comes in pieces, which the
 * clients of streaming tunnels take for a reset: they would make a connection per envelope.
 */
const ECHO_MODULE = '/usr/lib/nginx/modules/ngx_http_echo_module.so';

/**
 * A stand-in for the service that reports go on to: an nginx that reads an envelope, answers 200, and counts. It is
 * nginx and not Node because it shares a core with the load, and has to be far from its own limit there.
 */
export class Upstream {
  readonly child: Child;
  readonly #port: number;
  /** Requests for the counter itself, which nginx counts too. */
  #looks = 0;

  private constructor(child: Child, port: number) {
    this.child = child;
    this.#port = port;
  }

  static async start(directory: string, port: number, core: number): Promise<Upstream> {
    const path = join(directory, 'nginx.conf');
    writeFileSync(path, configuration(directory, port));
    const command = ['nginx', '-p', directory, '-c', path, '-e', join(directory, 'nginx-error.log')];
    const environment = { PATH: `${process.env['PATH']}:/usr/sbin` };
    const child = Child.start('nginx', core, command, environment, join(directory, 'nginx.log'));
    await child.listens(port);
    return new Upstream(child, port);
  }

  get dsn(): string {
    return `http://0123456789abcdef0123456789abcdef@127.0.0.1:${this.#port}/1`;
  }

  /** Envelopes answered since it started. */
  async delivered(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}/status`);
    this.#looks += 1;
    // stub_status: the third number of the line below "server accepts handled requests".
    const requests = /\n\s*\d+\s+\d+\s+(\d+)/.exec(await answer.text())?.[1];
    return Number(requests) - this.#looks;
  }
}

function configuration(directory: string, port: number): string {
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
      echo -n '{"id":"00000000000000000000000000000000"}';
    }
    location = /status { stub_status; }
  }
}
`;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Program } from '../programs.ts';
import { comes, statusOf } from './checks.ts';

export const NGINX: Program = {
  name: 'nginx',
  isNewEnough: () => true,
  versionArgs: ['-v'],
  cached: 'nginx',
  // Unpacked and not installed: the package would start a server on port 80.
  fetch: `
    options=(-qq -o "Dir::State::lists=$PWD/lists" -o "Dir::Cache=$PWD")
    mkdir -p lists/partial
    apt-get "\${options[@]}" update
    apt-get "\${options[@]}" download nginx
    dpkg-deb --fsys-tarfile ./nginx_*.deb | tar -x --strip-components=3 ./usr/sbin/nginx`,
  advice: 'install nginx',
};

/** The gateway of a cluster: an nginx in front of the pods that are endpoints of the Service at the moment. */
export class Proxy {
  readonly url: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'errata-nginx-'));
  readonly #port: number;
  #child: ChildProcess | undefined;

  constructor(port: number) {
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  async start(nginx: string, endpoints: readonly string[]): Promise<void> {
    this.#configure(endpoints);
    const args = ['-p', this.#folder, '-e', 'stderr', '-c', 'nginx.conf'];
    this.#child = spawn(nginx, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    process.once('exit', () => this.#child?.kill());
    if (!(await comes(async () => (await statusOf(this.url)) !== null)))
      throw new Error('nginx does not start');
  }

  /** Sends new requests to these endpoints only; nginx finishes those in flight by its old workers. */
  route(endpoints: readonly string[]): void {
    this.#configure(endpoints);
    this.#child?.kill('SIGHUP');
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child !== undefined) {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
    rmSync(this.#folder, { recursive: true });
  }

  /** It neither tries another pod nor avoids one that failed, so that every failure of a pod is seen. */
  #configure(endpoints: readonly string[]): void {
    const servers = endpoints.map((url) => `server ${new URL(url).host} max_fails=0;`).join(' ');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${name};`)
      .join(' ');
    const config = `
      daemon off;
      error_log stderr crit;
      pid nginx.pid;
      worker_processes 1;
      events {}
      http {
        access_log off;
        ${temporary}
        upstream errata { ${servers} keepalive 16; }
        server {
          listen 127.0.0.1:${this.#port};
          location / {
            proxy_pass http://errata;
            proxy_next_upstream off;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
          }
        }
      }`;
    writeFileSync(join(this.#folder, 'nginx.conf'), config);
  }
}

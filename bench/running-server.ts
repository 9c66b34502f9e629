import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Child, freePort } from './child.ts';
import { SERVER_CORE } from './cores.ts';
import { type Memory, memory } from './proc.ts';
import type { ServerKind } from './servers.ts';

/** A server of its own for one round, with a directory of its own, alone on its core: nothing of one round weighs on the next. */
export class RunningServer {
  readonly kind: ServerKind;
  readonly port: number;
  readonly managementPort: number;
  readonly directory: string;
  readonly #child: Child;

  private constructor(
    kind: ServerKind,
    { port, managementPort }: { readonly port: number; readonly managementPort: number },
    directory: string,
    child: Child,
  ) {
    this.kind = kind;
    this.port = port;
    this.managementPort = managementPort;
    this.directory = directory;
    this.#child = child;
  }

  static async start(kind: ServerKind, dsn: string, parent: string): Promise<RunningServer> {
    const directory = mkdtempSync(join(parent, `${kind.id}-`));
    const ports = { port: await freePort(), managementPort: await freePort() };
    const environment = {
      NODE_ENV: 'production',
      ...kind.environment,
      HOST: '127.0.0.1',
      PORT: String(ports.port),
      MANAGEMENT_PORT: String(ports.managementPort),
      SENTRY_DSN: dsn,
      ERRATA_DATA_DIR: directory,
    };
    const log = join(directory, 'server.log');
    const child = Child.start(kind.title, SERVER_CORE, kind.command, environment, log);
    const server = new RunningServer(kind, ports, directory, child);
    try {
      await child.listens(ports.port);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  get pid(): number {
    return this.#child.pid;
  }

  get memory(): Memory {
    return memory(this.pid);
  }

  async stop(): Promise<void> {
    await this.#child.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

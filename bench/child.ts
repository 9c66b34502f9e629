import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 30_000;

/** A process of the benchmark, tied to one core with all its threads. */
export class Child {
  readonly #process: ChildProcess;
  readonly #name: string;
  readonly #log: string;

  private constructor(name: string, child: ChildProcess, log: string) {
    this.#name = name;
    this.#process = child;
    this.#log = log;
  }

  /** @param log file that takes its output. */
  static start(
    name: string,
    core: number,
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    log: string,
  ): Child {
    const file = openSync(log, 'a');
    const child = spawn('taskset', ['-c', String(core), ...command], {
      stdio: ['ignore', file, file],
      env: { ...process.env, ...environment },
    });
    closeSync(file);
    // However the benchmark ends, nothing of it stays on the cores.
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    return new Child(name, child, log);
  }

  /** Resolves once it accepts connections. @throws when it ended instead, or takes too long. */
  async listens(port: number): Promise<void> {
    const giveUpAt = Date.now() + START_TIMEOUT_MS;
    while (Date.now() < giveUpAt) {
      if (this.hasEnded) throw new Error(`${this.#name} ended:\n${readFileSync(this.#log, 'utf8')}`);
      if (await accepts(port)) return;
      await delay(50);
    }
    throw new Error(`${this.#name} does not listen on ${port}`);
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  get pid(): number {
    if (this.#process.pid === undefined) throw new Error(`${this.#name} was not started`);
    return this.#process.pid;
  }

  /** Asks it to come to its end early, as Ctrl-C does. */
  interrupt(): void {
    this.#process.kill('SIGINT');
  }

  async stop(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const timeout = setTimeout(() => this.#process.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timeout);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Returns a port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

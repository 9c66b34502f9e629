import { type MessagePort, parentPort } from 'node:worker_threads';

/** The thread of a spec, see shared-thread.fixture.ts. */

/** What the thread serves next: a module with a function `serve`, its start data and the port of its calls. */
export interface SharedStart {
  readonly module: string;
  readonly data: unknown;
  readonly port: MessagePort;
}

interface ServingModule {
  readonly serve: (port: MessagePort, data: unknown) => void | Promise<void>;
}

async function begin({ module, data, port }: SharedStart): Promise<void> {
  const { serve } = (await import(module)) as ServingModule;
  await serve(port, data);
}

parentPort?.on('message', (start: SharedStart | 'last') => {
  if (start !== 'last') void begin(start);
  // Then the thread ends with the last port that is open.
  else parentPort?.close();
});

import { parentPort } from 'node:worker_threads';
import { postNotice, serveCalls } from './worker-rpc.ts';

/** A worker for the specs of the protocol. It posts foreign messages before, between and after its replies. */

/** Messages that are not of the protocol, but come close. */
const FOREIGN: readonly unknown[] = [
  { 'watch:import': ['file:///app/main.js'] },
  null,
  'result',
  { kind: 'result', result: 'no id' },
  { kind: 'other', id: 0 },
  { id: 0 },
];

const held: (() => void)[] = [];
const port = parentPort;
const disturb = (): void => FOREIGN.forEach((message) => port?.postMessage(message));

export type TestCalls = typeof CALLS;

const CALLS = {
  echo: (value: unknown): unknown => {
    disturb();
    return value;
  },
  /** Replies after the next `release`. */
  held: async (text: string): Promise<string> => {
    await new Promise<void>((resolve) => held.push(resolve));
    return text;
  },
  release: (): void => {
    for (const resolve of held.splice(0)) resolve();
  },
  fail: (code: string): never => {
    throw new Error(code);
  },
  die: (): never => {
    throw new Error('fatal');
  },
  give: (buffer: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => buffer,
  close: (): void => undefined,
};

if (port !== null) {
  disturb();
  serveCalls<TestCalls>(port, {
    calls: CALLS,
    codeOf: (error) => {
      if (error instanceof Error && error.message === 'fatal') throw error;
      return error instanceof Error ? `code ${error.message}` : 'none';
    },
    transferOf: (result) => (result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : []),
  });
  postNotice(port, 'ready');
  disturb();
}

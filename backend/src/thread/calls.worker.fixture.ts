import { parentPort } from 'node:worker_threads';
import { postNotice, serveCalls } from './worker-rpc.ts';

/** A worker for the specs of the protocol. It posts foreign messages before, between and after its replies. */

export interface TestCalls {
  readonly echo: { readonly work: unknown; readonly reply: unknown };
  /** Replies after the next `release`. */
  readonly held: { readonly work: string; readonly reply: string };
  readonly release: { readonly work: null; readonly reply: null };
  readonly fail: { readonly work: string; readonly reply: never };
  readonly die: { readonly work: null; readonly reply: never };
  readonly give: { readonly work: Uint8Array<ArrayBuffer>; readonly reply: Uint8Array<ArrayBuffer> };
  readonly close: { readonly work: null; readonly reply: null };
}

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
if (port !== null) {
  const disturb = (): void => FOREIGN.forEach((message) => port.postMessage(message));
  disturb();
  serveCalls<TestCalls>(port, {
    calls: {
      echo: (work) => {
        disturb();
        return work;
      },
      held: async (text) => {
        await new Promise<void>((resolve) => held.push(resolve));
        return text;
      },
      release: () => {
        for (const resolve of held.splice(0)) resolve();
        return null;
      },
      fail: (code) => {
        throw new Error(code);
      },
      die: () => {
        throw new Error('fatal');
      },
      give: (buffer) => buffer,
      close: () => null,
    },
    codeOf: (error) => {
      if (error instanceof Error && error.message === 'fatal') throw error;
      return error instanceof Error ? `code ${error.message}` : 'none';
    },
    transferOf: (result) => (result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : []),
  });
  postNotice(port, 'ready');
  disturb();
}

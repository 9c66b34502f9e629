import type { MessagePort, Transferable } from 'node:worker_threads';
import { Slots } from '../time/slots.ts';

/**
 * Requests and replies between the main thread and a worker, for all workers of the process.
 *
 * Each request carries an id, and its reply the same one. A notice is a message of the worker without an id. Both sides
 * ignore messages of any other `kind`: under `node --watch` Node itself posts `{"watch:import": […]}` to the parent for
 * each module a worker loads. Nothing here may retry a request: a request ends once, with its reply, its failure or the
 * worker's end.
 */

/** Calls of a worker by name. Arguments and results are cloned between the threads. */
export type WorkerCalls<Calls> = { readonly [Call in keyof Calls]: (...args: never) => unknown };

export type CallArguments<Calls, Call extends keyof Calls> = Calls[Call] extends (
  ...args: infer Args
) => unknown
  ? Args
  : never;

export type CallResult<Calls, Call extends keyof Calls> = Calls[Call] extends (...args: never) => infer Result
  ? Awaited<Result>
  : never;

/** A worker as its client sees it: a thread of Node, or an object that serves the calls in another way. */
export interface WorkerHandle {
  /** `message` has a message of the worker, `error` what it threw; `exit` comes last. */
  on(event: 'message' | 'error' | 'exit', listener: (value: unknown) => void): unknown;
  postMessage(message: unknown, transfer: readonly Transferable[]): void;
  terminate(): Promise<unknown>;
}

interface Request {
  readonly kind: 'request';
  readonly id: number;
  readonly call: string;
  readonly args: readonly unknown[];
}

type Reply =
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly code: string; readonly message: string };

/** A message from the worker that answers no request. */
interface Notice {
  readonly kind: 'notice';
  readonly notice: unknown;
}

/** The worker could not do the work; `code` is the worker's own word for the reason. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The worker ended before it replied; `cause` is the error that ended it, if there was one. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded';
}

/** What a client reports of its worker. */
export interface WorkerEvents {
  readonly onNotice?: (notice: unknown) => void;
  /** Called once, after all pending requests were rejected. */
  readonly onEnd: (ended: WorkerEnded) => void;
}

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

function isObject(
  message: unknown,
): message is Readonly<Partial<Record<'kind' | 'id' | 'message', unknown>>> {
  return typeof message === 'object' && message !== null;
}

function isReply(message: unknown): message is Reply {
  return (
    isObject(message) &&
    (message.kind === 'result' || message.kind === 'failure') &&
    typeof message.id === 'number'
  );
}

function isNotice(message: unknown): message is Notice {
  return isObject(message) && message.kind === 'notice' && 'notice' in message;
}

function isRequest(message: unknown): message is Request {
  return isObject(message) && message.kind === 'request' && typeof message.id === 'number';
}

/**
 * Sends requests to one worker.
 *
 * States: running -> ended (all pending requests are rejected, none is answered from memory).
 */
export class WorkerClient<Calls extends WorkerCalls<Calls>> {
  readonly #worker: WorkerHandle;
  #pending = new Slots<PendingRequest>();
  #ended: WorkerEnded | null = null;

  constructor(worker: WorkerHandle, { onNotice, onEnd }: WorkerEvents) {
    this.#worker = worker;
    worker.on('message', (message: unknown) => {
      if (isReply(message)) this.#settle(message);
      else if (isNotice(message)) onNotice?.(message.notice);
    });
    let reason = 'the thread ended';
    let cause: unknown;
    worker.on('error', (thrown: unknown) => {
      cause = thrown;
      // A worker may throw a value that is no Error.
      reason = isObject(thrown) && typeof thrown.message === 'string' ? thrown.message : String(thrown);
    });
    worker.on('exit', () => {
      this.#ended = new WorkerEnded(reason, { cause });
      for (const { reject } of this.#pending.all()) reject(this.#ended);
      this.#pending = new Slots();
      onEnd(this.#ended);
    });
  }

  /**
   * Sends one request.
   *
   * @param transfer buffers that change hands; without it they are copied
   * @throws WorkerFailure where the worker failed, WorkerEnded where it ended before its reply
   */
  async request<Call extends keyof Calls & string>(
    call: Call,
    args: CallArguments<Calls, Call>,
    transfer: readonly Transferable[] = [],
  ): Promise<CallResult<Calls, Call>> {
    return this.#send(call, args, transfer) as Promise<CallResult<Calls, Call>>;
  }

  /** Sends the last request: the worker ends after its reply. */
  async close(): Promise<void> {
    await this.#send('close', [], []);
  }

  async #send(call: string, args: readonly unknown[], transfer: readonly Transferable[]): Promise<unknown> {
    if (this.#ended !== null) throw this.#ended;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = this.#pending.add({ resolve, reject });
    try {
      this.#worker.postMessage({ kind: 'request', id, call, args } satisfies Request, [...transfer]);
    } catch (error) {
      // A buffer cannot be transferred.
      this.#pending.remove(id);
      throw error;
    }
    return promise;
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.remove(reply.id);
    if (reply.kind === 'result') pending?.resolve(reply.result);
    else pending?.reject(new WorkerFailure(reply.code, reply.message));
  }
}

/** The worker's side of its calls. */
export interface CallHandlers<Calls extends WorkerCalls<Calls>> {
  readonly calls: Calls;
  /** Names the failure for the caller. An error that it throws ends the worker. */
  readonly codeOf: (error: unknown) => string;
  /** Lists the buffers of a result that change hands. */
  readonly transferOf?: (result: unknown) => readonly Transferable[];
}

/** Replies to the requests of the port. A call named `close` is the last one: the port closes after its reply. */
export function serveCalls<Calls extends WorkerCalls<Calls>>(
  port: MessagePort,
  { calls, codeOf, transferOf }: CallHandlers<Calls>,
): void {
  const respond = async ({ id, call, args }: Request): Promise<void> => {
    try {
      // The types of the client have checked the arguments.
      const handler: (...args: never) => unknown = calls[call as keyof Calls];
      const result: unknown = await handler(...(args as never));
      port.postMessage({ kind: 'result', id, result } satisfies Reply, [...(transferOf?.(result) ?? [])]);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      port.postMessage({ kind: 'failure', id, code: codeOf(error), message } satisfies Reply);
    }
    if (call === 'close') port.close();
  };
  port.on('message', (message: unknown) => {
    if (isRequest(message)) void respond(message);
  });
}

/** Posts a message that answers no request. */
export function postNotice(port: MessagePort, notice: unknown): void {
  port.postMessage({ kind: 'notice', notice } satisfies Notice);
}

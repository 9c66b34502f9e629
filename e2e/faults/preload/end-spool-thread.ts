import { syncBuiltinESMExports } from 'node:module';
import threads, { isMainThread, type WorkerOptions } from 'node:worker_threads';

/** Preloaded into Errata: SIGUSR2 ends the spool's thread immediately, in the middle of its work. */

let spoolThread: threads.Worker | undefined;

const WatchedWorker = new Proxy(threads.Worker, {
  construct(Worker, [file, options]: [string | URL, WorkerOptions?]) {
    const worker = new Worker(file, options);
    if (String(file).endsWith('spool.worker.js')) spoolThread = worker;
    return worker;
  },
});

if (isMainThread) {
  Object.assign(threads, { Worker: WatchedWorker });
  syncBuiltinESMExports();
  process.on('SIGUSR2', () => void spoolThread?.terminate());
}

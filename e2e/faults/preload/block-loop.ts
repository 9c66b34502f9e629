import { isMainThread } from 'node:worker_threads';

/** Preloaded into Errata: SIGUSR2 blocks its event loop for two seconds, as an endless loop would. */

const BLOCK_MS = 2_000;

if (isMainThread) {
  process.on('SIGUSR2', () => {
    const end = performance.now() + BLOCK_MS;
    while (performance.now() < end);
    process.stdout.write('{"msg":"bench_blocked"}\n');
  });
}

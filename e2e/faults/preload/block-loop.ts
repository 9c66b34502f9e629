import { isMainThread } from 'node:worker_threads';

/** Preloaded into Errata: SIGHUP blocks its event loop for BENCH_BLOCK_MS, as an endless loop would. */

const BLOCK_MS = Number(process.env['BENCH_BLOCK_MS']);

if (isMainThread) {
  process.on('SIGHUP', () => {
    const end = performance.now() + BLOCK_MS;
    while (performance.now() < end);
    process.stdout.write('{"msg":"bench_blocked"}\n');
  });
}

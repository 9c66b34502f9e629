import { totalmem } from 'node:os';
import { join } from 'node:path';
import { heapFlags, NODE_ENVIRONMENT, NODE_FLAGS } from './node-flags.ts';

/**
 * Starts the server with the flags and the environment of node-flags.ts, in the place of this process: the process id
 * and the signals stay the same. The image has no shell that could do it. The flags of this process (`--inspect`) are
 * passed on, and its environment has precedence.
 */

const main = join(import.meta.dirname, '..', 'backend', 'dist', 'main.js');
const heap = heapFlags(process.constrainedMemory(), totalmem(), process.env['NODE_OPTIONS'] ?? '');
const command = [
  process.execPath,
  ...NODE_FLAGS,
  ...heap,
  ...process.execArgv,
  main,
  ...process.argv.slice(2),
];
process.execve?.(process.execPath, command, { ...NODE_ENVIRONMENT, ...process.env });

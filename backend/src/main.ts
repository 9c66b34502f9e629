import { start } from './app/start.ts';

const exitCode = await start(process.env);
// A failed start has closed everything; exiting at once keeps a handle of a library from holding the process.
if (exitCode !== undefined) process.exit(exitCode);

import { start } from './app/start.ts';

process.exitCode = await start(process.env);

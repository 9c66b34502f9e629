import type { Provider } from '@nestjs/common';
import type { Config } from '../config/config.ts';
import { EventStore } from '../store/event-store.ts';
import { Access } from './access.ts';
import { Attempts } from './attempts.ts';
import { ConsoleToken } from './console-token.ts';
import { OneTimeCodes } from './one-time-codes.ts';

/** The console's parts for Nest. */
export function consoleProviders(store: EventStore, config: Config): Provider[] {
  const token = config.consoleToken === null ? null : new ConsoleToken(config.consoleToken);
  const codes = new OneTimeCodes();
  const limits = { idleMs: config.sessionIdleMs, maxMs: config.sessionMaxMs };
  return [
    { provide: EventStore, useValue: store },
    { provide: OneTimeCodes, useValue: codes },
    { provide: Attempts, useValue: new Attempts() },
    { provide: Access, useValue: new Access(token, codes, store, limits) },
  ];
}

import type { Provider } from '@nestjs/common';
import type { Config } from '../config/config.ts';
import type { Relay } from '../relay/relay.ts';
import type { Spool } from '../spool/spool.ts';
import { EventStore } from '../store/event-store.ts';
import { Access } from './access.ts';
import { Attempts } from './attempts.ts';
import { ConsoleToken } from './console-token.ts';
import { Delivery } from './delivery.ts';
import { OneTimeCodes } from './one-time-codes.ts';

/** The console's parts for Nest. */
export function consoleProviders(
  { store, spool, relay }: { readonly store: EventStore; readonly spool: Spool; readonly relay: Relay },
  config: Config,
): Provider[] {
  const token = config.consoleToken === null ? null : new ConsoleToken(config.consoleToken);
  const codes = new OneTimeCodes();
  const limits = { idleMs: config.sessionIdleMs, maxMs: config.sessionMaxMs };
  return [
    { provide: EventStore, useValue: store },
    { provide: Delivery, useValue: new Delivery(spool, relay) },
    { provide: OneTimeCodes, useValue: codes },
    { provide: Attempts, useValue: new Attempts() },
    { provide: Access, useValue: new Access(token, codes, store, limits) },
  ];
}

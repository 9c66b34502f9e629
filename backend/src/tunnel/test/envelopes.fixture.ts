import { canonicalDsn, parseDsn } from '../../envelope/dsn.ts';
import type { AllowedProject } from '../allow-list.ts';

export const UPSTREAM = 'https://abcdef0123456789abcdef0123456789@o1.ingest.example/42';
export const OWN = 'https://00000000000000000000000000000001@errata.invalid/1';
export const EVENT_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

export function project(text: string, hasUpstream: boolean): AllowedProject {
  const dsn = parseDsn(text);
  if (dsn === undefined) throw new Error(text);
  return { dsn, project: canonicalDsn(dsn), hasUpstream };
}

/** Writes an envelope with these headers and payloads, in the form of an SDK. */
export function envelope(header: object, ...items: readonly (readonly [object, string | Buffer])[]): Buffer {
  const lines = items.flatMap(([head, payload]) => [
    Buffer.from(`\n${JSON.stringify(head)}\n`),
    Buffer.from(payload),
  ]);
  return Buffer.concat([Buffer.from(JSON.stringify(header)), ...lines]);
}

import { BodyMemory, type BodyMemoryLimits, type Reservation } from './body-memory.ts';

/** Memory for bodies in tests. */

export const KIB = 2 ** 10;
export const MIB = 2 ** 20;

const LIMITS: BodyMemoryLimits = {
  maxBytes: 32 * MIB,
  maxLarge: 4,
  maxLargeOfNetwork: 2,
  waitMs: 120_000,
  maxWaiting: 2,
};

export function memory(limits: Partial<BodyMemoryLimits> = {}, nowMs: () => number = () => 0): BodyMemory {
  return new BodyMemory({ ...LIMITS, ...limits }, nowMs);
}

/** Admits a body of this announced size. */
export function begun(bytes: BodyMemory, announced: number, network: string | null = null): Reservation {
  const body = bytes.reserve(network);
  if (body.begin(announced) !== 'ok') throw new Error('not admitted');
  return body;
}

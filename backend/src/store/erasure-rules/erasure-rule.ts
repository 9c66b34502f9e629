import { hash, randomBytes } from 'node:crypto';
import type { Erasure } from '../../contract/erasure-api.ts';
import type { ErasureKind } from '../db/schema.ts';

/** What is to be forgotten, as the store keeps it for every replica: nothing that came in before `atMs` may come back. */
export interface ErasureRule {
  readonly id: number;
  /** When it was asked for. */
  readonly atMs: number;
  readonly kind: ErasureKind;
  /**
   * Of a person a salted hash, so that the list of those who asked to be forgotten is none of names; else the id of the
   * event, or the time in ms.
   */
  readonly value: string;
  readonly salt: string;
}

/** What an event, feedback or envelope is to the rules. */
export interface Subject {
  readonly receivedMs: number;
  /** Its own, and those it speaks of. */
  readonly eventIds: readonly string[];
  /** Of people; see {@link sameName}. Only asked for where a rule needs it. */
  readonly names: () => readonly string[];
}

/** Of what is asked to be forgotten. A time to come would forget what has yet to happen. */
export function newRule(erasure: Erasure, atMs: number): Omit<ErasureRule, 'id'> {
  if ('eventId' in erasure) return { atMs, kind: 'event', value: erasure.eventId, salt: '' };
  if ('before' in erasure) {
    return { atMs, kind: 'before', value: String(Math.min(Date.parse(erasure.before), atMs)), salt: '' };
  }
  const salt = randomBytes(16).toString('hex');
  return { atMs, kind: 'user', value: nameHash(erasure.user, salt), salt };
}

/** Whether any of the rules has it forgotten. */
export function isErased(rules: readonly ErasureRule[], { receivedMs, eventIds, names }: Subject): boolean {
  return rules.some(({ atMs, kind, value, salt }) => {
    if (receivedMs >= atMs) return false;
    if (kind === 'before') return receivedMs < Number(value);
    if (kind === 'event') return eventIds.includes(value);
    return names().some((name) => nameHash(name, salt) === value);
  });
}

function nameHash(name: string, salt: string): string {
  return hash('sha256', `${salt}\n${sameName(name)}`, 'hex');
}

/** One spelling for all that mean the same person: people write mail addresses with capitals and blanks around them. */
export function sameName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

import { hash, randomBytes } from 'node:crypto';
import type { Erasure } from '../../contract/erasure-api.ts';
import type { ErasureKind } from '../db/schema.ts';

/** An erasure as stored for all replicas: no matching data received before `atMs` may be stored or sent again. */
export interface ErasureRule {
  readonly id: number;
  /** Time of the request. */
  readonly atMs: number;
  readonly kind: ErasureKind;
  /**
   * For a user a salted hash, so that the rules contain no names; else the id of the event, or the time in ms.
   */
  readonly value: string;
  readonly salt: string;
  /** Canonical DSN of the only project that it matches; null for all projects. */
  readonly project: string | null;
}

/** The facts of an event, feedback or envelope that rules match. */
export interface ErasureSubject {
  readonly receivedMs: number;
  /** Canonical DSN. */
  readonly project: string;
  /** Its own id, and the ids that it refers to. */
  readonly eventIds: readonly string[];
  /** Names of users; see {@link sameName}. Called only where a rule needs them. */
  readonly names: () => readonly string[];
}

/** Makes the rule of a request. A future time is cut to now: it would erase data that does not exist yet. */
export function newRule(erasure: Erasure, atMs: number): Omit<ErasureRule, 'id'> {
  const project = erasure.project ?? null;
  if ('eventId' in erasure) return { atMs, kind: 'event', value: erasure.eventId, salt: '', project };
  if ('before' in erasure) {
    const value = String(Math.min(Date.parse(erasure.before), atMs));
    return { atMs, kind: 'before', value, salt: '', project };
  }
  const salt = randomBytes(16).toString('hex');
  return { atMs, kind: 'user', value: nameHash(erasure.user, salt), salt, project };
}

/** Returns whether any rule matches. */
export function isErased(
  rules: readonly ErasureRule[],
  { receivedMs, project, eventIds, names }: ErasureSubject,
): boolean {
  return rules.some(({ atMs, kind, value, salt, project: only }) => {
    if (receivedMs >= atMs || (only !== null && only !== project)) return false;
    if (kind === 'before') return receivedMs < Number(value);
    if (kind === 'event') return eventIds.includes(value);
    return names().some((name) => nameHash(name, salt) === value);
  });
}

function nameHash(name: string, salt: string): string {
  return hash('sha256', `${salt}\n${sameName(name)}`, 'hex');
}

/** Normalises a name: users write mail addresses with capitals and surrounding blanks. */
export function sameName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

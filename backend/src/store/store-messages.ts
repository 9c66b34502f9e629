import type { MovedFile } from '../sqlite/rescue-file.ts';
import type { AlertOptions } from './outbox/enqueue.ts';
import type { RetentionLimits } from './retention/retention.ts';
import type { ServedClient } from './source-maps/event-maps.ts';

/** Messages between the store and its worker thread. */

/** Limits of the stored data. */
export interface StoreLimits {
  /** Maximum size of the embedded database. */
  readonly maxFileBytes: number;
  /** Maximum size of its write-ahead log between two batches. */
  readonly maxLogBytes: number;
  /** For a retention when that file is full. */
  readonly retention: RetentionLimits;
}

/**
 * A warning of Node or of a library in the worker, the words of a database that refuses it, or a damaged file that was
 * replaced. Other notices are faults.
 */
export type StoreNotice =
  { readonly warning: string } | { readonly refusal: string } | { readonly moved: MovedFile };

/** Start data of the worker. */
export interface StoreWorkerData {
  readonly limits: StoreLimits;
  /** `postgres://…` of the database that replicas share; null for the embedded database in `file`. */
  readonly databaseUrl: string | null;
  /** Path of the embedded database. */
  readonly file: string;
  /** Folders of the built clients that are served, with their source maps. */
  readonly clientDirs: readonly string[];
  /** Directory of this application, with the source maps of its compiled files. */
  readonly applicationRoot: string;
  readonly served: ServedClient;
  /** The targets of alerts, and the origin and base path of the console's links in them. */
  readonly alerts: Omit<AlertOptions, 'now'>;
  /** Identity of the spool that envelopes come from. */
  readonly spool: number;
  /** Whether the thread before ended because its file is damaged. */
  readonly isDamaged?: boolean;
}

/** Code of the failure that only an operator can end, by another schema, encoding or role. */
export const UNUSABLE = 'unusable';

/** Code of the failure of a database that refuses the connection or the role until an operator changes something. */
export const REFUSED = 'refused';

/** Code of a failure that a retry would repeat. All other failures mean that the database is unreachable. */
export const LASTING = 'lasting';

import type { Role } from '../../contract/access-api.ts';

/** A parameter of the query. */
export interface QueryParameter {
  readonly meaning: string;
  /** All valid values. */
  readonly values?: readonly string[];
  readonly isRequired?: boolean;
}

/** One operation of the console's API. tools/openapi.ts writes openapi.json from these and from the contract's types. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Path for the router; `:name` matches one segment. */
  readonly path: string;
  readonly summary: string;
  /** Lowest role that may call it; null for every client, signed in or not. */
  readonly role: Role | null;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** Name of the body's type. */
  readonly body?: string;
  /** Name of the type in the response; null for none (204). */
  readonly response: string | null;
}

/** The cursor of a page. */
export const CURSOR: QueryParameter = { meaning: '`next` of the previous page; omit it for the first page.' };
/** The project of an issue or event. */
export const PROJECT: QueryParameter = {
  meaning: 'Canonical DSN of the project, if several have it. Default: the project of the newest event.',
};

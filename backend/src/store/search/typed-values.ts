import { type Level, LEVELS } from '../../contract/alert-filter.ts';
import type { FindField } from '../../contract/find-api.ts';
import { ISSUE_STATUSES } from '../../contract/issues-api.ts';
import { readAt, readLast, type TimeSpan } from './time-terms.ts';

/** States that `is:` names. `new`: first seen within the hour. */
const ISSUE_STATES = [...ISSUE_STATUSES, 'regressed', 'new'] as const;

/** What a field means whose values are not those of events. */
export type TypedValue =
  { readonly level: Level } | { readonly is: (typeof ISSUE_STATES)[number] } | { readonly span: TimeSpan };

interface TypedField {
  /** Its values, in words. */
  readonly expected: string;
  readonly read: (value: string) => TypedValue | null;
}

const TYPED: Readonly<Partial<Record<FindField, TypedField>>> = {
  level: {
    expected: LEVELS.join(', '),
    read: (value) => known(LEVELS, value, (level) => ({ level })),
  },
  is: {
    expected: ISSUE_STATES.join(', '),
    read: (value) => known(ISSUE_STATES, value, (is) => ({ is })),
  },
  last: { expected: '30m, 1h, 24h, 7d', read: (value) => spanOf(readLast(value)) },
  at: {
    expected: '2026-11-28T14, 2026-11-28 or two of them with .. between, in UTC',
    read: (value) => spanOf(readAt(value)),
  },
};

/** `plan:gold`; see tagNamed. */
const TAG = /^[^:]+:\s*[^\s]/;

/** Returns the meaning of a value of `level is last at`; null for one that they do not have. Undefined for other fields. */
export function typedValue(field: FindField, value: string): TypedValue | null | undefined {
  return TYPED[field]?.read(value.trim());
}

/** Returns the values that a field has instead of a wrong one, in words; null where the value is right. */
export function expectedInstead(field: FindField, value: string): string | null {
  if (field === 'tag') return TAG.test(value.trim()) ? null : 'name:value';
  return typedValue(field, value) === null ? (TYPED[field]?.expected ?? null) : null;
}

function known<T extends string>(
  values: readonly T[],
  typed: string,
  valueOf: (value: T) => TypedValue,
): TypedValue | null {
  const value = values.find((each) => each === typed.toLowerCase());
  return value === undefined ? null : valueOf(value);
}

function spanOf(span: TimeSpan | null): TypedValue | null {
  return span === null ? null : { span };
}

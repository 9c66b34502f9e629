import type { IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { useState } from 'react';

export interface Selection {
  /** Selected issues of the current list, in its order. */
  readonly issues: readonly IssueSummary[];
  readonly has: (issue: IssueSummary) => boolean;
  readonly toggle: (issue: IssueSummary) => void;
  readonly all: () => void;
  readonly none: () => void;
}

/** Returns the key of an issue: the same digest has the same key in every project. */
export function rowKey({ project, key }: IssueSummary): string {
  return `${project}/${key}`;
}

function toggled(chosen: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(chosen);
  if (!after.delete(key)) after.add(key);
  return after;
}

/** Keeps the selected rows. A row that leaves the list is deselected, so that no hidden issue is changed. */
export function useSelection(issues: readonly IssueSummary[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const has = (issue: IssueSummary) => chosen.has(rowKey(issue));
  return {
    issues: issues.filter(has),
    has,
    toggle: (issue) => setChosen((before) => toggled(before, rowKey(issue))),
    all: () => setChosen(new Set(issues.map(rowKey))),
    none: () => setChosen(new Set()),
  };
}

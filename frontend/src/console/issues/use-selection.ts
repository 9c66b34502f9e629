import type { IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { useState } from 'react';

export interface Selection {
  /** What is chosen and in sight, in the order of the list. */
  readonly issues: readonly IssueSummary[];
  readonly has: (issue: IssueSummary) => boolean;
  readonly toggle: (issue: IssueSummary) => void;
  readonly all: () => void;
  readonly none: () => void;
}

/** Names an issue: the same fault has the same key in every project. */
export function rowKey({ project, key }: IssueSummary): string {
  return `${project}/${key}`;
}

function toggled(chosen: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(chosen);
  if (!after.delete(key)) after.add(key);
  return after;
}

/** The rows somebody ticked. What is no longer in sight is not chosen either: nobody changes what they do not see. */
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

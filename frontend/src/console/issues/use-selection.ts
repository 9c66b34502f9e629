import type { IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { useState } from 'react';

export interface Selection {
  /** Keys of what is chosen and in sight, in the order of the list. */
  readonly keys: readonly string[];
  readonly has: (key: string) => boolean;
  readonly toggle: (key: string) => void;
  readonly all: () => void;
  readonly none: () => void;
}

function toggled(chosen: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(chosen);
  if (!after.delete(key)) after.add(key);
  return after;
}

/** The rows somebody ticked. What is no longer in sight is not chosen either: nobody changes what they do not see. */
export function useSelection(issues: readonly IssueSummary[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const inSight = [...new Set(issues.map(({ key }) => key))];
  return {
    keys: inSight.filter((key) => chosen.has(key)),
    has: (key) => chosen.has(key),
    toggle: (key) => setChosen((before) => toggled(before, key)),
    all: () => setChosen(new Set(inSight)),
    none: () => setChosen(new Set()),
  };
}

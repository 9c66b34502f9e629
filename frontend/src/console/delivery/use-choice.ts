import { useState } from 'react';

export interface Choice {
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
  readonly toggle: (id: string) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/** Keeps the selected rows of a list; a row that leaves the list is deselected. */
export function useChoice(listed: readonly string[]): Choice {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const ids = new Set(listed.filter((id) => ticked.has(id)));
  const isAll = ids.size > 0 && ids.size === listed.length;
  return {
    ids,
    isAll,
    toggle: (id) => setTicked(new Set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id])),
    toggleAll: () => setTicked(new Set(isAll ? [] : listed)),
    clear: () => setTicked(new Set()),
  };
}

import { type NamePlace, type ReadFunction, ScopeReader } from './scope-reader.ts';

/** One function of a script, inside the one it stands in. */
export interface FunctionScope extends ReadFunction {
  readonly parent: FunctionScope | null;
}

/**
 * Finds all functions of a script and where their names stand.
 *
 * @returns them in order of their starts, or undefined when the script's brackets do not add up: then any
 * answer could be wrong.
 */
export function readFunctionScopes(code: string): readonly FunctionScope[] | undefined {
  const found = new ScopeReader(code).read();
  return found === undefined ? undefined : nest(found);
}

function nest(found: readonly ReadFunction[]): readonly FunctionScope[] {
  const open: FunctionScope[] = [];
  return found
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .map((scope) => {
      while ((open.at(-1)?.end ?? Infinity) <= scope.start) open.pop();
      const parent = open.at(-1) ?? null;
      const nested = { ...scope, name: trustedName(scope.name, parent), parent };
      open.push(nested);
      return nested;
    });
}

/**
 * A call's argument has the name of the call's result only outside of all named functions, where such calls wrap
 * (`Page = memo(() => …)`); within them they use (`sum = items.reduce(() => …)`).
 */
function trustedName(name: NamePlace | null, parent: FunctionScope | null): NamePlace | null {
  if (name === null || name.isDirect) return name;
  for (let outer = parent; outer !== null; outer = outer.parent) if (outer.name !== null) return null;
  return name;
}

/** The innermost function around an offset. */
export function scopeAt(scopes: readonly FunctionScope[], offset: number): FunctionScope | null {
  let low = 0;
  let high = scopes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((scopes[middle]?.start ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  let scope = scopes[low - 1] ?? null;
  while (scope !== null && scope.end <= offset) scope = scope.parent;
  return scope;
}

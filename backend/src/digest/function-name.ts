/** Longest function name looked at; real ones stay below 100. */
const MAX_NAME_LENGTH = 512;

const ALIAS = / \[as .*\]$/;
/** `<anonymous>`, `<computed>`, `<static_initializer>`, `<instance_members_initializer>`, Sentry's `?`. */
const NAMELESS = /(?:<[^<>]*>|\?|^anonymous|^eval|^\(anonymous.*)$/;
const LAST_SEGMENT = /[^\s./*]+$/;
const DECORATION = /^[^\p{L}\p{N}_$]+|[^\p{L}\p{N}_$]+$/gu;

/**
 * The last segment of a function's name, or null where the engine gives none: `async`, `new`, `Object.`,
 * `[as x]` and the class are dropped.
 *
 * The class goes because it is not stable. It is the receiver's, so a method inherited by `SubShop` is
 * `SubShop.load` on one call and `Shop.load` on another, and just `load` when called detached. And node 26
 * writes it differently with `--enable-source-maps`: `Shop.get total` for V8's `get total`, `Shop.#sum` for
 * `#sum`, `Shop.[Symbol.iterator]` for `[Symbol.iterator]`, `Object.outer` for `Object.outer [as alias]`,
 * `Init.<instance_members_initializer>` for `<instance_members_initializer>`. The last segment is the same in
 * both; function-name.spec.ts lists the pairs.
 */
export function functionName(raw: string | null): string | null {
  if (raw === null) return null;
  const name = raw.slice(0, MAX_NAME_LENGTH).trim().replace(ALIAS, '');
  if (NAMELESS.test(name)) return null;
  const last = (LAST_SEGMENT.exec(name)?.[0] ?? '').replace(DECORATION, '');
  return last === '' ? null : last;
}

import type { z } from 'zod';

/** One setting of the environment: its name, how its text is read, what holds without it, and what it means. */
export interface Setting<T> {
  readonly name: string;
  readonly type: z.ZodType<T, string>;
  /** Text that stands for an absent variable; null: the setting is then `null`. */
  readonly default: string | null;
  readonly meaning: string;
  /** Also read from the file `<NAME>_FILE`; its value is never printed. */
  readonly isSecret: boolean;
}

type Value<T, D extends string | null> = D extends null ? T | null : T;

export function setting<T, D extends string | null>(
  name: string,
  type: z.ZodType<T, string>,
  fallback: D,
  meaning: string,
): Setting<Value<T, D>> {
  return { name, type, default: fallback, meaning, isSecret: false };
}

export function secret<T>(name: string, type: z.ZodType<T, string>, meaning: string): Setting<T | null> {
  return { ...setting(name, type, null, meaning), isSecret: true };
}

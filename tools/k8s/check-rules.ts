import type { Root } from './manifest.ts';
import { plant, textOf, type Trial } from './plant.ts';
import { PLANTED } from './planted-faults.ts';
import { alerts } from './rules/alerts.ts';
import { contract } from './rules/contract.ts';
import { schema } from './rules/schema.ts';
import { leaving, replicas, secrets, settings, volume } from './rules/settings.ts';

type RuleName = keyof typeof PLANTED;

const RULES: Readonly<Record<RuleName, (root: Root) => readonly string[]>> = {
  schema,
  contract,
  settings,
  secrets,
  replicas,
  leaving,
  volume,
  alerts,
};
const NAMES = Object.keys(RULES) as readonly RuleName[];

/** Breaches by one root. The other rules read fields as the schemas say, so they wait until these hold. */
export function breaches(root: Root): readonly string[] {
  const breachesOf = (names: readonly RuleName[]): readonly string[] =>
    names.flatMap((name) => RULES[name](root).map((text) => `${root.name}: ${name}: ${text}`));
  const broken = breachesOf(['schema']);
  return broken.length > 0 ? broken : breachesOf(NAMES.slice(1));
}

/** Plants each fault in a root that keeps the rules, and says whether its own rule finds it. */
export function tryRules(roots: readonly Root[]): readonly Trial[] {
  return NAMES.flatMap((name) =>
    PLANTED[name].map((fault) => ({
      fault: `${name}: ${textOf(fault)}`,
      isFound: RULES[name](plant(roots, fault).root).length > 0,
    })),
  );
}

import type { Root } from './manifest.ts';
import { plant, type Rule, textOf, type Trial } from './rule.ts';
import { alerts } from './rules/alerts.ts';
import { claims } from './rules/claims.ts';
import { image, leaving, probes } from './rules/pod.ts';
import { restricted } from './rules/restricted.ts';
import { routes } from './rules/routes.ts';
import { schema } from './rules/schema.ts';
import { selectors } from './rules/selectors.ts';
import { replicas, secrets, settings } from './rules/settings.ts';

const RULES: readonly Rule[] = [
  schema,
  restricted,
  probes,
  image,
  claims,
  leaving,
  selectors,
  routes,
  settings,
  secrets,
  replicas,
  alerts,
];

/** Breaches by one root. The other rules read fields as the schemas say, so they wait until these hold. */
export function breaches(root: Root): readonly string[] {
  const breachesOf = (rules: readonly Rule[]): readonly string[] =>
    rules.flatMap(({ name, check }) => check(root).map((text) => `${root.name}: ${name}: ${text}`));
  const broken = breachesOf([schema]);
  return broken.length > 0 ? broken : breachesOf(RULES.slice(1));
}

/** Plants each fault in a root that keeps the rules, and says whether its own rule finds it. */
export function tryRules(roots: readonly Root[]): readonly Trial[] {
  return RULES.flatMap(({ name, check, faults }) =>
    faults.map((fault) => ({
      fault: `${name}: ${textOf(fault)}`,
      isFound: check(plant(roots, fault).root).length > 0,
    })),
  );
}

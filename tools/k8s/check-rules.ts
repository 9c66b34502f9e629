import type { Root } from './manifest.ts';
import { plant, textOf } from './plant.ts';
import { PLANTED } from './planted-faults.ts';
import { type Result, trialOf } from './report.ts';
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
function breaches(root: Root): readonly string[] {
  const breachesOf = (names: readonly RuleName[]): readonly string[] =>
    names.flatMap((name) => RULES[name](root).map((text) => `${name}: ${text}`));
  const broken = breachesOf(['schema']);
  return broken.length > 0 ? broken : breachesOf(NAMES);
}

/** Checks each root, and plants each fault in a root that keeps the rules: its own rule must find it. */
export function checkRules(roots: readonly Root[]): Result {
  return {
    part: {
      total: 'roots keep all rules',
      checks: roots.map((root) => ({ name: root.name, problems: breaches(root) })),
    },
    trials: NAMES.flatMap((name) =>
      PLANTED[name].map((fault) =>
        trialOf(`${name}: ${textOf(fault)}`, RULES[name](plant(roots, fault).root).length > 0),
      ),
    ),
  };
}

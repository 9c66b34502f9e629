import { type Root, titleOf } from '../manifest.ts';
import type { Rule } from '../rule.ts';

/** Values that the API server accepts. The types say `string`, so a wrong word would pass them. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  accessModes: ['ReadWriteOnce', 'ReadWriteOncePod', 'ReadWriteMany', 'ReadOnlyMany'],
  fsGroupChangePolicy: ['OnRootMismatch', 'Always'],
  imagePullPolicy: ['IfNotPresent', 'Always', 'Never'],
  'path.type': ['Exact', 'PathPrefix', 'RegularExpression'],
  pathType: ['Exact', 'Prefix', 'ImplementationSpecific'],
  podManagementPolicy: ['Parallel', 'OrderedReady'],
  policyTypes: ['Ingress', 'Egress'],
  'seccompProfile.type': ['RuntimeDefault', 'Localhost', 'Unconfined'],
  terminationMessagePolicy: ['File', 'FallbackToLogsOnError'],
  unhealthyPodEvictionPolicy: ['AlwaysAllow', 'IfHealthyBudget'],
  whenDeleted: ['Retain', 'Delete'],
  whenScaled: ['Retain', 'Delete'],
  whenUnsatisfiable: ['ScheduleAnyway', 'DoNotSchedule'],
};

export const enums: Rule = {
  name: 'enums',
  check: ({ objects }: Root) =>
    objects.flatMap((object) => wrongWords(object, '').map((text) => `${titleOf(object)}: ${text}`)),
  faults: [
    { object: 'StatefulSet/errata', path: '/spec/podManagementPolicy', value: 'parallel' },
    { object: 'StatefulSet/errata', path: '/spec/volumeClaimTemplates/0/spec/accessModes/0', value: 'RWO' },
    { object: 'HTTPRoute/errata-tunnel', path: '/spec/rules/0/matches/0/path/type', value: 'Prefix' },
  ],
};

function wrongWords(value: unknown, parentKey: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]: [string, unknown]) => {
    const allowed = VALUES[`${parentKey}.${key}`] ?? VALUES[key];
    const words = (Array.isArray(field) ? field : [field]).filter((word) => typeof word === 'string');
    const wrong = allowed === undefined ? [] : words.filter((word) => !allowed.includes(word));
    return [
      ...wrong.map((word) => `${key} ${word} is none of ${allowed?.join(', ')}`),
      ...wrongWords(field, Array.isArray(value) ? parentKey : key),
    ];
  });
}

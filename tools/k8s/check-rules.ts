import { plant, type Root } from './manifest.ts';
import { type Result, trialOf } from './report.ts';
import { alerts } from './rules/alerts.ts';
import { promises, version } from './rules/promises.ts';
import { labels, references, selectors } from './rules/references.ts';
import { schema } from './rules/schema.ts';
import { leaving, replicas, secrets, settings, volume } from './rules/settings.ts';

interface Rule {
  readonly name: string;
  /** Returns one line for each breach. */
  readonly check: (root: Root) => readonly string[];
  /** Changes of a root's text that the rule must find: `[from, to]`. */
  readonly faults: readonly (readonly [string, string])[];
}

const INSTANCE = 'app.kubernetes.io/instance: ';
const SPREAD = `- labelSelector:\n          matchLabels:\n            ${INSTANCE}`;

/** The others read fields as the schemas say, so the rule `schema` comes first. */
const RULES: readonly Rule[] = [
  {
    name: 'schema',
    check: schema,
    faults: [
      ['livenessProbe:', 'livenessProb:'],
      ['podMetricsEndpoints:', 'podMetricsEndpoint:'],
      ['- alert:', '- alerts:'],
      ['replicas: 1', 'replicas: "1"'],
      ['podManagementPolicy: Parallel', 'podManagementPolicy: parallel'],
      ['memory: 512Mi', 'memory: 512MB'],
      ['- ReadWriteOnce', '- RWO'],
      ['type: Exact', 'type: Prefix'],
      ['podMetricsEndpoints:\n  - port', 'podMetricsEndpoints:\n    port'],
      ['name: errata\n      port: 80', 'port: 80'],
      ['kind: ServiceAccount', 'kind: Secret'],
    ],
  },
  {
    name: 'promises',
    check: promises,
    faults: [
      ['image: registry.example/errata', 'image: errata'],
      [`/errata:${version}`, '/errata:latest'],
      ['allowPrivilegeEscalation: false\n', '\n'],
      ['capabilities:\n', 'capabilities:\n            add: [NET_ADMIN]\n'],
      ['drop:\n            - ALL', 'drop: []'],
      ['readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false'],
      ['runAsNonRoot: true', 'runAsNonRoot: false'],
      ['fsGroup: 65532', 'fsGroup: 0'],
      ['type: RuntimeDefault', 'type: Unconfined'],
      ['      enableServiceLinks: false\n', ''],
      ['      automountServiceAccountToken: false\n', '      hostNetwork: true\n'],
      ['- emptyDir:\n          sizeLimit: 64Mi', '- hostPath: { path: /tmp }'],
      ['            memory: 512Mi\n', ''],
      ['path: /livez', 'path: /readyz'],
      ['path: /readyz\n            port: management', 'path: /readyz\n            port: http'],
      ['containerPort: 9464', 'containerPort: 9090'],
      ['mountPath: /data', 'mountPath: /var/errata'],
      ['whenDeleted: Retain', 'whenDeleted: Delete'],
      ['- ReadWriteOnce', '- ReadWriteOncePod'],
      ['clusterIP: None\n', '\n'],
      ['value: /reports', 'value: /report'],
      ['path: /tunnel', 'path: /tunnels'],
      ['- port: 3080', '- port: 3000'],
      ['name: ERRATA_GATEWAY_PORT', 'name: ERRATA_GATEWAY'],
      ['key: ERRATA_TRUST_PROXY', 'key: ERRATA_DRAIN_TIMEOUT'],
      ['- containerPort: 3080', '- containerPort: 3000'],
      ['port: 3080\n    targetPort: error-pages', 'port: 80\n    targetPort: error-pages'],
      ['targetPort: error-pages', 'targetPort: http'],
    ],
  },
  {
    name: 'references',
    check: references,
    faults: [
      ['serviceAccountName: errata', 'serviceAccountName: other'],
      ['serviceName: errata-pods', 'serviceName: errata-pod'],
      ['configMapRef:\n            name: errata-', 'configMapRef:\n            name: other-'],
      ['- mountPath: /tmp\n          name: tmp', '- mountPath: /tmp\n          name: temporary'],
      ['targetPort: http', 'targetPort: web'],
      [
        'key: ERRATA_TRUST_PROXY\n              name: errata-',
        'key: ERRATA_TRUST_PROXY\n              name: other-',
      ],
      ['- port: management', '- port: metrics'],
      ['name: errata\n      port: 80', 'name: errata\n      port: 3000'],
      ['name: shop-errata\n      port: 80', 'name: errata\n      port: 80'], // with a prefix
    ],
  },
  {
    name: 'selectors',
    check: selectors,
    faults: [
      [`selector:\n    ${INSTANCE}errata`, `selector:\n    ${INSTANCE}erata`],
      [`maxUnavailable: 1\n  selector:\n    matchLabels:`, `maxUnavailable: 1\n  selector:\n    matchLabel:`],
      ['podSelector:\n    matchLabels:', 'podSelector: {}\n  other:\n    matchLabels:'],
      [`${SPREAD}errata`, `${SPREAD}erata`],
      [
        `template:\n    metadata:\n      labels:\n        ${INSTANCE}`,
        `template:\n    metadata:\n      labels:\n        a: `,
      ],
    ],
  },
  {
    name: 'labels',
    check: labels,
    faults: [
      [`labels:\n    ${INSTANCE}errata`, 'labels:\n    app: errata'],
      ['app.kubernetes.io/part-of: errata\n  name: errata-tunnel', 'app: errata\n  name: errata-tunnel'],
    ],
  },
  {
    name: 'settings',
    check: settings,
    faults: [
      ['ERRATA_DRAIN_TIMEOUT', 'ERRATA_DRAIN_TIME'],
      ['ERRATA_DRAIN_TIMEOUT: 30s', 'ERRATA_SPOOL_MAX_BYTES: 1Gi'],
      ['name: ERRATA_REPLICA', 'name: ERRATA_INDEX'],
      ['ERRATA_DRAIN_TIMEOUT: 30s', 'PORT: "8080"'],
      ['value: "3000"', 'value: "8080"'],
      ['value: "3080"', 'value: "8080"'],
    ],
  },
  {
    name: 'secrets',
    check: secrets,
    faults: [
      ['ERRATA_DRAIN_TIMEOUT: 30s', 'ERRATA_CONSOLE_TOKEN: a-token-of-the-operator'],
      [
        '- name: ERRATA_REPLICA',
        '- { name: DATABASE_URL, value: postgres://host/errata }\n        - name: ERRATA_REPLICA',
      ],
    ],
  },
  {
    name: 'replicas',
    check: replicas,
    faults: [
      ['replicas: 1', 'replicas: 2'],
      ['key: DATABASE_URL', 'key: DATABASE_URL\n              optional: true'],
      ["fieldPath: metadata.labels['apps.kubernetes.io/pod-index']", 'fieldPath: metadata.uid'],
    ],
  },
  {
    name: 'leaving',
    check: leaving,
    faults: [
      ['terminationGracePeriodSeconds: 60', 'terminationGracePeriodSeconds: 30'],
      ['preStop:\n            sleep:', 'postStart:\n            sleep:'],
      ['ERRATA_DRAIN_TIMEOUT: 30s', 'ERRATA_DRAIN_TIMEOUT: 2m'],
      ['ERRATA_DRAIN_TIMEOUT: 30s', 'ERRATA_SHUTDOWN_DELAY: "30"\n  ERRATA_DRAIN_TIMEOUT: 30s'],
    ],
  },
  { name: 'volume', check: volume, faults: [['storage: 16Gi', 'storage: 8Gi']] },
  {
    name: 'alerts',
    check: alerts,
    faults: [
      ['errata_spool_oldest_seconds', 'errata_spool_oldest'],
      ['fate="missing"', 'fate="lost"'],
      ['by (namespace, sink)', 'by (namespace, dsn)'],
      ['for: 5m', 'keep_firing_for: 5m'],
      ['severity: critical', 'severity: page'],
      ['summary: Prometheus', 'text: Prometheus'],
      ['#erratadown', '#errata'],
    ],
  },
];

/** Rules of a team's own objects and settings, too. */
const FOR_ALL = RULES.filter(({ name }) => /^(schema|references|selectors)$/.test(name));

function problemsOf(root: Root, [first, ...others]: readonly Rule[]): readonly string[] {
  const breachesOf = (rules: readonly Rule[]): readonly string[] =>
    rules.flatMap(({ name, check }) => check(root).map((text) => `${name}: ${text}`));
  const broken = breachesOf(first === undefined ? [] : [first]);
  return broken.length > 0 ? broken : breachesOf(others);
}

/**
 * Checks each root, and plants each fault in a root that keeps the rules: its own rule must find it.
 *
 * @param snippets roots with a part of the documentation each; the first is without one
 */
export function checkRules(roots: readonly Root[], snippets: readonly Root[]): Result {
  const textOf = ({ documents = [] }: Partial<Root> = {}): string => documents.join('');
  const [unchanged, ...changed] = snippets;
  return {
    part: {
      total: 'roots and snippets keep all rules',
      checks: [
        ...roots.map((root) => ({ name: root.name, problems: problemsOf(root, RULES) })),
        ...changed.map((root) => ({
          name: root.name,
          problems: textOf(root) === textOf(unchanged) ? ['has no effect'] : problemsOf(root, FOR_ALL),
        })),
      ],
    },
    trials: RULES.flatMap(({ name, check, faults }) =>
      faults.map(([from, to]) => {
        const root = plant([...roots, ...snippets], from, to);
        const isFound = root !== undefined && check(root).length > 0;
        return trialOf(`${name}: "${from}" becomes "${to}"`, isFound);
      }),
    ),
  };
}

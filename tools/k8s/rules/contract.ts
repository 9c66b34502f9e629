import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SETTINGS } from '../../../backend/src/config/settings.ts';
import { type Expected, mismatches } from './match.ts';
import { type Root, titleOf } from '../manifest.ts';

/** Values that the manifests promise, object by object: an object that is in neither table has no promise, and is refused. */

const PACKAGE = join(import.meta.dirname, '..', '..', '..', 'package.json');
/** The version of Errata. */
export const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };

/** Domains that no registry on the Internet can have (RFC 6761; ICANN's .internal): nodes never pull a stranger's image. */
const RESERVED = /^[a-z.]+\.(example|internal)\//;
const isOwnImage = (found: unknown): boolean =>
  typeof found === 'string' && RESERVED.test(found) && found.endsWith(`:${version}`);
const isSet = (found: unknown): boolean => typeof found === 'string';
const is =
  (expected: unknown) =>
  (found: unknown): boolean =>
    isDeepStrictEqual(found, expected);

/**
 * Selectors are compared as a whole. The cluster accepts one that matches no pod (no traffic, no metrics, no protection),
 * and an empty one, which selects the pods of other applications, too.
 */
const LABELS = { 'app.kubernetes.io/name': 'errata' };
const SELECTOR = { matchLabels: LABELS };
const spreadOwnPods = (found: unknown): boolean =>
  found === undefined ||
  (Array.isArray(found) && found.every(({ labelSelector }) => isDeepStrictEqual(labelSelector, SELECTOR)));

/** USER of docker/Dockerfile. */
const IMAGE_USER = 65_532;

/** Paths of backend/src/health, which the listener of MANAGEMENT_PORT serves. */
const probe = (path: string): Expected => ({ httpGet: { path, port: 'management' } });

/**
 * The profile `restricted`, a read-only root and no access to the API of the cluster.
 *
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
const CONTAINER: Expected = {
  image: isOwnImage,
  ports: [
    { name: 'http', containerPort: Number(SETTINGS.port.default) },
    { name: 'management', containerPort: Number(SETTINGS.managementPort.default) },
  ],
  startupProbe: probe('/startupz'),
  livenessProbe: probe('/livez'),
  readinessProbe: probe('/readyz'),
  resources: { limits: { memory: isSet, 'ephemeral-storage': isSet } },
  securityContext: {
    allowPrivilegeEscalation: false,
    privileged: undefined,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'], add: undefined },
  },
  volumeMounts: [
    { name: 'data', mountPath: '/data' },
    { name: 'tmp', mountPath: '/tmp' },
  ],
};

const POD: Expected = {
  serviceAccountName: 'errata',
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  hostNetwork: undefined,
  hostPID: undefined,
  hostIPC: undefined,
  securityContext: {
    runAsNonRoot: true,
    runAsUser: IMAGE_USER,
    runAsGroup: IMAGE_USER,
    fsGroup: IMAGE_USER,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  topologySpreadConstraints: spreadOwnPods,
  initContainers: undefined,
  containers: [CONTAINER],
  volumes: [{ name: 'tmp', emptyDir: { sizeLimit: isSet } }],
};

/** Objects of every root. */
const BASE: Readonly<Record<string, Expected>> = {
  'ConfigMap/errata': {},
  'ServiceAccount/errata': { automountServiceAccountToken: false },
  'Service/errata': {
    spec: { selector: is(LABELS), ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  },
  'Service/errata-pods': {
    spec: { clusterIP: 'None', selector: is(LABELS), ports: [{ targetPort: 'management' }] },
  },
  'PodDisruptionBudget/errata': { spec: { selector: is(SELECTOR) } },
  'StatefulSet/errata': {
    spec: {
      serviceName: 'errata-pods',
      // The volume of a removed pod can hold envelopes.
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      selector: is(SELECTOR),
      template: { metadata: { labels: LABELS }, spec: POD },
      // Some drivers leave ReadWriteOncePod pending for ever; spool.lock keeps a second process out.
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }],
    },
  },
};

/** Both paths that browsers post to are needed: the application answers one without a route with a 404, and reports are lost. */
const BROWSER_PATHS = [`${SETTINGS.tunnelPath.default}`, '/reports'];
const BACKENDS = [{ name: 'errata', port: 80 }];
const backend = { service: { name: 'errata', port: { name: 'http' } } };

/** Objects of the components. */
const COMPONENTS: Readonly<Record<string, Expected>> = {
  'HTTPRoute/errata': { spec: { rules: [{ backendRefs: BACKENDS }] } },
  'HTTPRoute/errata-tunnel': {
    spec: {
      rules: [{ matches: BROWSER_PATHS.map((value) => ({ path: { value } })), backendRefs: BACKENDS }],
    },
  },
  'Ingress/errata': {
    spec: {
      rules: [
        { http: { paths: [{ path: '/', backend }] } },
        { http: { paths: BROWSER_PATHS.map((path) => ({ path, backend })) } },
      ],
    },
  },
  'NetworkPolicy/errata': {
    spec: {
      podSelector: is(SELECTOR),
      ingress: [{ ports: [{ port: 'http' }] }, { ports: [{ port: 'management' }] }],
    },
  },
  'PodMonitor/errata': { spec: { selector: is(SELECTOR), podMetricsEndpoints: [{ port: 'management' }] } },
  'PrometheusRule/errata': {},
};

/** Lists the differences of a root from both tables. */
export function contract({ objects }: Root): readonly string[] {
  // The name of the ConfigMap ends in a hash of its settings.
  const found = new Map(
    objects.map((object) => [titleOf(object).replace(/^(ConfigMap\/.*)-\w{10}$/, '$1'), object]),
  );
  const expected = { ...COMPONENTS, ...BASE };
  return [
    ...Object.keys(BASE)
      .filter((title) => !found.has(title))
      .map((title) => `${title} is missing`),
    ...[...found].flatMap(([title, object]) =>
      title in expected ? mismatches(expected[title], object, title) : [`${title} is not expected`],
    ),
  ];
}

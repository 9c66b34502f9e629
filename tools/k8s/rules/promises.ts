import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../../backend/src/config/settings.ts';
import { kindFieldsOf, type Root } from '../manifest.ts';

const PACKAGE = join(import.meta.dirname, '..', '..', '..', 'package.json');
/** The version of Errata. */
export const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };

const POD = 'StatefulSet/spec/template/spec';
const CONTAINER = `${POD}/containers/0`;
/** Snippets of docs/gateway.md name it. */
export const GATEWAY_PORT = '3080';
const CLAIM = 'StatefulSet/spec/volumeClaimTemplates/0';

/**
 * Fields that a root must have when it has an object of their kind: the profile `restricted` of the Pod Security Standards,
 * and values that Errata's code and image have, too.
 *
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
const PROMISES = [
  // Domains that no registry on the Internet can have (RFC 6761; ICANN's .internal): nodes never pull a stranger's image.
  `${CONTAINER}/image: "[a-z.]+\\.(example|internal)/[a-z]+:${version}"`,
  `${POD}/securityContext/runAsNonRoot: true`,
  // USER of docker/Dockerfile.
  `${POD}/securityContext/(runAsUser|runAsGroup|fsGroup): 65532`,
  `${POD}/securityContext/seccompProfile/type: "RuntimeDefault"`,
  `${CONTAINER}/securityContext/allowPrivilegeEscalation: false`,
  `${CONTAINER}/securityContext/readOnlyRootFilesystem: true`,
  `${CONTAINER}/securityContext/capabilities/drop/0: "ALL"`,
  `${CONTAINER}/resources/limits/(memory|ephemeral-storage): ".+"`,
  `${POD}/(automountServiceAccountToken|enableServiceLinks): false`,
  `${CONTAINER}/ports/0/containerPort: ${SETTINGS.port.default}`,
  `${CONTAINER}/ports/1/containerPort: ${SETTINGS.managementPort.default}`,
  // Paths of backend/src/health, on the listener of MANAGEMENT_PORT.
  `${CONTAINER}/startupProbe/httpGet/path: "/startupz"`,
  `${CONTAINER}/livenessProbe/httpGet/path: "/livez"`,
  `${CONTAINER}/readinessProbe/httpGet/path: "/readyz"`,
  `${CONTAINER}/(startup|liveness|readiness)Probe/httpGet/port: "management"`,
  // ERRATA_DATA_DIR of docker/Dockerfile.
  `${CONTAINER}/volumeMounts/0/mountPath: "/data"`,
  // The volume of a removed pod can hold envelopes.
  'StatefulSet/spec/persistentVolumeClaimRetentionPolicy/(whenDeleted|whenScaled): "Retain"',
  // Some drivers leave ReadWriteOncePod pending for ever; spool.lock keeps a second process out.
  `${CLAIM}/spec/accessModes/0: "ReadWriteOnce"`,
  // Argo CD shows a difference for defaults that the API adds within a list.
  `${CLAIM}/(apiVersion|kind): "(v1|PersistentVolumeClaim)"`,
  'HTTPRoute/spec/parentRefs/0/(group|kind): ".+"',
  'HTTPRoute/spec/rules/0/backendRefs/0/(group|kind|weight): (""|"Service"|1)',
  'HTTPRoute/spec/rules/0/matches/0/path/type: "PathPrefix"',
  // Of the Service that gives the pods their names.
  'Service/spec/clusterIP: "None"',
  // Without a route the application answers these two with a 404, and reports are lost.
  `HTTPRoute/spec/rules/0/matches/0/path/value: "${SETTINGS.tunnelPath.default}"`,
  'HTTPRoute/spec/rules/0/matches/1/path/value: "/reports"',
  `Ingress/spec/rules/1/http/paths/0/path: "${SETTINGS.tunnelPath.default}"`,
  'Ingress/spec/rules/1/http/paths/1/path: "/reports"',
  // Of the component error-pages, in whatever order both are listed: a patch would see what is before it only.
  `NetworkPolicy/spec/ingress/0/ports/1/port: ${GATEWAY_PORT}`,
].flatMap(alternatives);

/** Those of a root with the component error-pages. Without the networks no gateway is believed. */
const OF_ERROR_PAGES = [
  `${CONTAINER}/env/\\d+/name: "${SETTINGS.gatewayPort.name}"`,
  `${CONTAINER}/env/\\d+/valueFrom/configMapKeyRef/key: "${SETTINGS.trustProxy.name}"`,
  `${CONTAINER}/ports/2/containerPort: ${GATEWAY_PORT}`,
  `Service/spec/ports/1/port: ${GATEWAY_PORT}`,
  'Service/spec/ports/1/targetPort: "error-pages"',
];

const FORBIDDEN = /\/(host(Network|PID|IPC|Path)|privileged|capabilities\/add|initContainers)\b/;

/** Expands `a/(b|c): d` to one promise each. What follows a colon is an expression. */
function alternatives(promise: string): readonly string[] {
  const [, before = promise, names, after = ''] = /^([^:]*)\(([^)]+)\)(.*)$/.exec(promise) ?? [];
  return (names?.split('|') ?? ['']).map((name) => `${before}${name}${after}`);
}

/** Lists the promises that a root breaks, and fields that it must not have. */
export function promises({ objects }: Root): readonly string[] {
  const fields = kindFieldsOf(objects);
  const kinds = new Set(objects.map(({ kind }) => kind));
  const hasErrorPages = fields.some((field) => field.endsWith(': "error-pages"'));
  const missing = [
    ...PROMISES.filter((promise) => kinds.has(promise.split('/')[0] ?? '')),
    ...(hasErrorPages ? OF_ERROR_PAGES : []),
  ].filter((promise) => !fields.some((field) => new RegExp(`^${promise}$`).test(field)));
  return [
    ...missing.map((promise) => `there is no ${promise}`),
    ...fields.filter((field) => FORBIDDEN.test(field)).map((field) => `${field} is forbidden`),
  ];
}

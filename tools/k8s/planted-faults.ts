import { faultsOf, type PlantedFault } from './plant.ts';
import { version } from './rules/contract.ts';

const SET = 'StatefulSet/errata';
const POD = '/spec/template/spec';
const CONTAINER = `${POD}/containers/0`;
const NAME = 'app.kubernetes.io~1name';
const CLAIM = '/spec/volumeClaimTemplates/0';

const PLANTED_SCHEMA = [
  ...faultsOf(SET, '', [
    [`${CONTAINER}/livenessProb`, {}],
    [`${CONTAINER}/resources/limits/memory`, '512MB'],
    ['/spec/replicas', '3'],
    ['/spec/podManagementPolicy', 'parallel'],
    [`${CLAIM}/spec/accessModes/0`, 'RWO'],
  ]),
  ...faultsOf('HTTPRoute/errata-tunnel', '/spec/rules/0', [
    ['/backendRefs/0/name', undefined],
    ['/matches/0/path/type', 'Prefix'],
  ]),
  ...faultsOf('PodMonitor/errata', '/spec', [
    ['/podMetricsEndpoints', { port: 'management' }],
    ['/podMetricsEndpoint', []],
  ]),
  ...faultsOf('PrometheusRule/errata', '/spec/groups/0/rules/0', [['/alerts', 'ErrataDown']]),
  ...faultsOf('Service/errata', '', [['/kind', 'Secret']]),
];

const PLANTED_CONTRACT = [
  ...faultsOf(SET, POD, [
    ['/securityContext/runAsNonRoot', false],
    ['/securityContext/fsGroup', 0],
    ['/securityContext/seccompProfile/type', 'Unconfined'],
    ['/automountServiceAccountToken', undefined],
    ['/enableServiceLinks', undefined],
    ['/hostNetwork', true],
    ['/volumes/0', { name: 'tmp', hostPath: { path: '/tmp' } }],
    ['/initContainers', [{ name: 'other' }]],
    [`/topologySpreadConstraints/0/labelSelector/matchLabels/${NAME}`, 'erata'],
  ]),
  ...faultsOf(SET, CONTAINER, [
    ['/image', `errata:${version}`],
    ['/image', 'registry.example/errata:latest'],
    ['/livenessProbe/httpGet/path', '/readyz'],
    ['/readinessProbe/httpGet/port', 'http'],
    ['/ports/1/containerPort', 9090],
    ['/securityContext/allowPrivilegeEscalation', undefined],
    ['/securityContext/readOnlyRootFilesystem', false],
    ['/securityContext/capabilities/drop', []],
    ['/securityContext/capabilities/add', ['NET_ADMIN']],
    ['/resources/limits/memory', undefined],
    ['/volumeMounts/0/mountPath', '/var/errata'],
    ['/volumeMounts/1/name', 'temporary'],
  ]),
  ...faultsOf(SET, '/spec', [
    ['/serviceName', 'errata'],
    [`/selector/matchLabels/${NAME}`, 'erata'],
    ['/persistentVolumeClaimRetentionPolicy/whenDeleted', 'Delete'],
    ['/persistentVolumeClaimRetentionPolicy/whenScaled', 'Delete'],
    ['/volumeClaimTemplates/0/metadata/name', 'spool'],
    ['/volumeClaimTemplates/0/spec/accessModes/0', 'ReadWriteOncePod'],
  ]),
  ...faultsOf('ServiceAccount/errata', '', [
    ['/metadata/name', 'other'],
    ['/automountServiceAccountToken', true],
  ]),
  ...faultsOf('Service/errata', '/spec', [
    [`/selector/${NAME}`, 'erata'],
    ['/ports/0/targetPort', 'web'],
  ]),
  ...faultsOf('Service/errata-pods', '/spec', [['/clusterIP', undefined]]),
  ...faultsOf('PodDisruptionBudget/errata', '/spec', [[`/selector/matchLabels/${NAME}`, 'erata']]),
  ...faultsOf('NetworkPolicy/errata', '/spec', [
    ['/podSelector', {}],
    ['/ingress/1/ports/0/port', 'metrics'],
  ]),
  ...faultsOf('PodMonitor/errata', '/spec', [
    [`/selector/matchLabels/${NAME}`, 'erata'],
    ['/podMetricsEndpoints/0/port', 'metrics'],
  ]),
  ...faultsOf('HTTPRoute/errata', '/spec', [['/rules/0/backendRefs/0/port', 3000]]),
  ...faultsOf('HTTPRoute/errata-tunnel', '/spec/rules/0', [
    ['/backendRefs/0/name', 'errata-http'],
    ['/matches/1/path/value', '/report'],
  ]),
  ...faultsOf('Ingress/errata', '/spec/rules', [
    ['/1/http/paths/0/backend/service/port/name', 'management'],
    ['/1/http/paths/1/path', '/report'],
  ]),
];

/** Faults that the rule of this name must find in a root that keeps all rules. */
export const PLANTED = {
  schema: PLANTED_SCHEMA,
  contract: PLANTED_CONTRACT,
  settings: [
    ...faultsOf('ConfigMap/errata-', '/data', [
      ['/ERRATA_DRAIN_TIME', '30s'],
      ['/ERRATA_SPOOL_MAX_BYTES', '1Gi'],
    ]),
    ...faultsOf(SET, CONTAINER, [['/env/0/name', 'ERRATA_INDEX']]),
  ],
  secrets: [
    ...faultsOf('ConfigMap/errata-', '/data', [['/ERRATA_CONSOLE_TOKEN', 'a-token-of-the-operator']]),
    ...faultsOf(SET, CONTAINER, [['/env/0', { name: 'DATABASE_URL', value: 'postgres://host/errata' }]]),
  ],
  replicas: faultsOf(SET, '/spec', [
    ['/replicas', 2],
    ['/template/spec/containers/0/env/1/valueFrom/secretKeyRef/optional', true],
    ['/template/spec/containers/0/env/0/valueFrom/fieldRef/fieldPath', 'metadata.uid'],
  ]),
  leaving: [
    ...faultsOf(SET, POD, [
      ['/terminationGracePeriodSeconds', 30],
      ['/containers/0/lifecycle', undefined],
    ]),
    ...faultsOf('ConfigMap/errata-', '/data', [
      ['/ERRATA_DRAIN_TIMEOUT', '2m'],
      ['/ERRATA_SHUTDOWN_DELAY', '20'],
    ]),
  ],
  volume: faultsOf(SET, CLAIM, [['/spec/resources/requests/storage', '8Gi']]),
  alerts: faultsOf('PrometheusRule/errata', '/spec/groups/0/rules', [
    ['/1/expr', 'errata_spool_oldest > 900'],
    ['/6/expr', 'errata_spool_envelopes{fate="lost"} > 0'],
    ['/2/expr', 'max by (dsn) (errata_relay_paused) > 0'],
    ['/0/for', undefined],
    ['/0/labels/severity', 'page'],
    ['/0/annotations/summary', undefined],
    ['/0/annotations/runbook_url', 'docs/operations.md'],
  ]),
} satisfies Readonly<Record<string, readonly PlantedFault[]>>;

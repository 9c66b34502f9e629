import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPod } from 'kubernetes-models/v1/Pod';
import type { KubernetesObject, Root } from '../manifest.ts';
import { type Placement, planPod } from './pod-plan.ts';

const PROBE = { httpGet: { path: '/livez', port: 'management' } };
const TEMPLATE = {
  metadata: { labels: { app: 'errata' } },
  spec: {
    securityContext: { runAsUser: 65532 },
    terminationGracePeriodSeconds: 60,
    containers: [
      {
        name: 'errata',
        image: 'registry.example/errata:0.1.0',
        envFrom: [{ configMapRef: { name: 'errata-abc' } }, { secretRef: { name: 'errata' } }],
        env: [
          { name: 'ERRATA_REPLICA', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } },
          { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'errata', key: 'DATABASE_URL' } } },
        ],
        ports: [{ name: 'http', containerPort: 3000 }],
        startupProbe: PROBE,
        livenessProbe: PROBE,
        readinessProbe: PROBE,
        lifecycle: { preStop: { sleep: { seconds: 5 } } },
        securityContext: { readOnlyRootFilesystem: true },
        volumeMounts: [
          { name: 'data', mountPath: '/data' },
          { name: 'tmp', mountPath: '/tmp' },
        ],
      },
    ],
    volumes: [{ name: 'tmp', emptyDir: {} }],
  },
};
const SET = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'errata' },
  spec: {
    template: TEMPLATE,
    volumeClaimTemplates: [
      { metadata: { name: 'data' }, spec: { resources: { requests: { storage: '2Gi' } } } },
    ],
  },
};
const MAP = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'errata-abc' },
  data: { ERRATA_DRAIN_TIMEOUT: '30s' },
};
const SERVICE = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'errata' } };

const PLACEMENT: Placement = {
  prefix: 'run',
  ordinal: 1,
  image: 'localhost/errata:test',
  ports: { http: 10_001, management: 10_002 },
  secret: { DATABASE_URL: 'postgres://db.example/errata' },
  restartPolicy: 'Always',
};

const rootOf = (...objects: readonly KubernetesObject[]): Root => ({ name: 'a root', objects });
const plan = planPod(rootOf(MAP, SERVICE, SET), PLACEMENT);
const pod = plan.objects.find((object): object is IPod => object.kind === 'Pod');
const container: Partial<IContainer> = pod?.spec?.containers[0] ?? {};

describe('planPod', () => {
  it('names the pod after its StatefulSet and ordinal, and keeps the labels of the template', () => {
    expect(plan.pod).toBe('run-errata-1');
    expect(plan.container).toBe('run-errata-1-errata');
    expect(pod?.metadata).toEqual({
      name: 'run-errata-1',
      labels: { app: 'errata', 'apps.kubernetes.io/pod-index': '1' },
    });
  });

  it('gives each pod a claim of its own for each template', () => {
    expect(plan.claims).toEqual([
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'run-errata-1-data' },
        spec: { resources: { requests: { storage: '2Gi' } } },
      },
    ]);
  });

  it('mounts the claim and the other volumes of the pod, which share no name with those of another pod', () => {
    expect(pod?.spec?.volumes).toEqual([
      { name: 'run-errata-1-tmp', emptyDir: {} },
      { name: 'run-errata-1-data', persistentVolumeClaim: { claimName: 'run-errata-1-data' } },
    ]);
    expect(container.volumeMounts).toEqual([
      { name: 'run-errata-1-data', mountPath: '/data' },
      { name: 'run-errata-1-tmp', mountPath: '/tmp' },
    ]);
  });

  it('passes the ConfigMaps on, and the Secret as one, and no other object', () => {
    expect(plan.objects.filter((object) => object !== pod)).toEqual([
      MAP,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'secret-errata' }, data: PLACEMENT.secret },
    ]);
    expect(container.envFrom).toEqual([
      { configMapRef: { name: 'errata-abc' } },
      { configMapRef: { name: 'secret-errata' } },
    ]);
  });

  it('keeps every variable, with its key of the Secret, and listens on the given ports of loopback', () => {
    expect(container.env).toEqual([
      { name: 'ERRATA_REPLICA', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } },
      {
        name: 'DATABASE_URL',
        valueFrom: { configMapKeyRef: { name: 'secret-errata', key: 'DATABASE_URL' } },
      },
      { name: 'HOST', value: '127.0.0.1' },
      { name: 'PORT', value: '10001' },
      { name: 'MANAGEMENT_PORT', value: '10002' },
    ]);
    expect(pod?.spec?.hostNetwork).toBe(true);
  });

  it('keeps what locks the pod down, and runs the image under test', () => {
    expect(pod?.spec?.securityContext).toEqual({ runAsUser: 65532 });
    expect(container.securityContext).toEqual({ readOnlyRootFilesystem: true });
    expect(container.image).toBe('localhost/errata:test');
  });

  it('leaves out probes and ports, which podman cannot run', () => {
    expect(container).not.toHaveProperty('ports');
    expect(container).not.toHaveProperty('startupProbe');
    expect(container).not.toHaveProperty('livenessProbe');
    expect(container).not.toHaveProperty('readinessProbe');
  });

  it('reads the times of leaving', () => {
    expect(plan).toMatchObject({ preStopSeconds: 5, graceSeconds: 60 });
  });

  it('restarts the pod as the placement says', () => {
    expect(pod?.spec?.restartPolicy).toBe('Always');
  });

  it('refuses a root without a StatefulSet', () => {
    expect(() => planPod(rootOf(MAP), PLACEMENT)).toThrow('a root has no StatefulSet');
  });
});

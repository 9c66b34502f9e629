import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { type KubernetesObject, titleOf } from '../manifest.ts';
import type { Rule } from '../rule.ts';

/** The kinds that manifests may have. Namespaces, Secrets, gateways, databases and cluster-wide objects are the team's. */
const MODELS: Readonly<Record<string, { readonly prototype: { validate(): void } }>> = {
  'apps/v1/StatefulSet': StatefulSet,
  'gateway.networking.k8s.io/v1/HTTPRoute': HTTPRoute,
  'monitoring.coreos.com/v1/PodMonitor': PodMonitor,
  'monitoring.coreos.com/v1/PrometheusRule': PrometheusRule,
  'networking.k8s.io/v1/Ingress': Ingress,
  'networking.k8s.io/v1/NetworkPolicy': NetworkPolicy,
  'policy/v1/PodDisruptionBudget': PodDisruptionBudget,
  'v1/ConfigMap': ConfigMap,
  'v1/Service': Service,
  'v1/ServiceAccount': ServiceAccount,
};

/** Types, enumerations, quantities and required fields; and fields that do not exist, which the API server would drop. */
export const schema: Rule = {
  name: 'schema',
  check: ({ objects }) =>
    objects.flatMap((object) => schemaFaults(object).map((text) => `${titleOf(object)}: ${text}`)),
  faults: [
    { object: 'StatefulSet/errata', path: '/spec/template/spec/containers/0/livenessProb', value: {} },
    { object: 'StatefulSet/errata', path: '/spec/replicas', value: '3' },
    { object: 'StatefulSet/errata', path: '/spec/podManagementPolicy', value: 'parallel' },
    { object: 'StatefulSet/errata', path: '/spec/volumeClaimTemplates/0/spec/accessModes/0', value: 'RWO' },
    {
      object: 'StatefulSet/errata',
      path: '/spec/template/spec/containers/0/resources/limits/memory',
      value: '512MB',
    },
    { object: 'HTTPRoute/errata', path: '/spec/rules/0/backendRefs/0/name', value: undefined },
    { object: 'HTTPRoute/errata-tunnel', path: '/spec/rules/0/matches/0/path/type', value: 'Prefix' },
    { object: 'PodMonitor/errata', path: '/spec/podMetricsEndpoints', value: { port: 'management' } },
    { object: 'PodMonitor/errata', path: '/spec/podMetricsEndpoint', value: [] },
    { object: 'PrometheusRule/errata', path: '/spec/groups/0/rules/0/alerts', value: 'ErrataDown' },
    { object: 'Service/errata', path: '/kind', value: 'Secret' },
  ],
};

function schemaFaults(object: KubernetesObject): readonly string[] {
  const kind = `${object.apiVersion}/${object.kind}`;
  const model = MODELS[kind];
  if (model === undefined) return [`${kind} is none of the kinds of the manifests`];
  const unread = new Set(pathsOf(object));
  try {
    model.prototype.validate.call(watched(object, '', unread));
  } catch (error) {
    return [String(error)];
  }
  return [...unread].map((path) => `${path} is no field`);
}

function pathsOf(value: unknown, base = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    `${base}/${key}`,
    ...pathsOf(each, `${base}/${key}`),
  ]);
}

/**
 * The validators skip fields that they do not know. This view of an object removes from `unread` each field that its
 * validator reads or, in a mapping with free keys, lists.
 */
function watched(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (target, key) => {
      unread.delete(`${path}/${String(key)}`);
      return watched(Reflect.get(target, key), `${path}/${String(key)}`, unread);
    },
    ownKeys: (target) => {
      for (const key of Object.keys(target)) unread.delete(`${path}/${key}`);
      return Reflect.ownKeys(target);
    },
  });
}

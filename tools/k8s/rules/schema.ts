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
import { type KubernetesObject, type Root, titleOf } from '../manifest.ts';

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
export const schema = ({ objects }: Root): readonly string[] =>
  objects.flatMap((object) => schemaFaults(object).map((text) => `${titleOf(object)}: ${text}`));

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

import { SETTINGS } from '../../../backend/src/config/settings.ts';
import type { Setting } from '../../../backend/src/config/value-types.ts';
import { variablesOf } from '../environment.ts';
import { ofKind } from '../manifest.ts';
import type { Rule } from '../rule.ts';

const ENV = '/spec/template/spec/containers/0/env';
/** All settings of docs/configuration.md. */
const BY_NAME = new Map<string, Setting<unknown>>(
  Object.values(SETTINGS).map((setting) => [setting.name, setting]),
);

/** Errata does not start with an unknown name or an invalid value. */
export const settings: Rule = {
  name: 'settings',
  check: (root) =>
    variablesOf(root).flatMap(({ name, value }) => {
      const setting = BY_NAME.get(name);
      if (setting === undefined) return [`${name} is no setting`];
      return value === null || setting.type.safeParse(value).success ? [] : [`${name} has an invalid value`];
    }),
  faults: [
    { object: 'ConfigMap/errata-', path: '/data/ERRATA_DRAIN_TIME', value: '30s' },
    { object: 'ConfigMap/errata-', path: '/data/ERRATA_SPOOL_MAX_BYTES', value: '1Gi' },
    { object: 'StatefulSet/errata', path: `${ENV}/0/name`, value: 'ERRATA_INDEX' },
  ],
};

/** A ConfigMap can be read by many people and tools, and is part of a repository. */
export const secrets: Rule = {
  name: 'secrets',
  check: (root) =>
    variablesOf(root)
      .filter(({ name, value }) => BY_NAME.get(name)?.isSecret === true && value !== null)
      .map(({ name }) => `${name} is in the open`),
  faults: [
    { object: 'ConfigMap/errata-', path: '/data/ERRATA_CONSOLE_TOKEN', value: 'a-token-of-the-operator' },
    {
      object: 'StatefulSet/errata',
      path: `${ENV}/0`,
      value: { name: 'DATABASE_URL', value: 'postgres://errata:errata@postgres/errata' },
    },
  ],
};

/** The number of a pod in its StatefulSet. Older versions than 1.28 lack it: the value is empty, which counts as 0. */
const POD_INDEX = "metadata.labels['apps.kubernetes.io/pod-index']";

/** Each replica without a shared database would have a store of its own, and a look-up would find a part of the errors. */
export const replicas: Rule = {
  name: 'replicas',
  check: (root) => {
    const variables = variablesOf(root);
    const areSeveral = ofKind(root, 'StatefulSet').some(({ spec }) => (spec?.replicas ?? 1) > 1);
    const needsDatabase = variables.some(
      ({ name, from }) =>
        name === 'DATABASE_URL' && from?.secretKeyRef !== undefined && from.secretKeyRef.optional !== true,
    );
    const knowsIndex = variables.some(
      ({ name, from }) => name === 'ERRATA_REPLICA' && from?.fieldRef?.fieldPath === POD_INDEX,
    );
    return [
      ...(areSeveral && !needsDatabase ? ['several replicas start without DATABASE_URL'] : []),
      ...(knowsIndex ? [] : ['ERRATA_REPLICA is not the index of the pod']),
    ];
  },
  faults: [
    { object: 'StatefulSet/errata', path: '/spec/replicas', value: 2 },
    { object: 'StatefulSet/errata', path: `${ENV}/1/valueFrom/secretKeyRef/optional`, value: true },
    { object: 'StatefulSet/errata', path: `${ENV}/0/valueFrom/fieldRef/fieldPath`, value: 'metadata.uid' },
  ],
};

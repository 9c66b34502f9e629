import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../../backend/src/config/settings.ts';
import { numberOf } from '../environment.ts';
import { containersOf, podsOf } from '../manifest.ts';
import type { Rule } from '../rule.ts';

const SPEC = '/spec/template/spec';
const CONTAINER = `${SPEC}/containers/0`;
const PACKAGE = join(import.meta.dirname, '..', '..', '..', 'package.json');
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };
/** Domains that no registry on the Internet can have (RFC 6761; ICANN's .internal): nodes never pull a stranger's image. */
const RESERVED = /^[a-z.]+\.(example|internal)\//;

export const image: Rule = {
  name: 'image',
  check: (root) =>
    containersOf(root).flatMap(({ image: name = '' }) => [
      ...(RESERVED.test(name) ? [] : [`the image ${name} is not in a reserved domain`]),
      ...(name.endsWith(`:${version}`)
        ? []
        : [`the image ${name} does not have the version ${version} of Errata`]),
    ]),
  faults: [
    { object: 'StatefulSet/errata', path: `${CONTAINER}/image`, value: `errata:${version}` },
    { object: 'StatefulSet/errata', path: `${CONTAINER}/image`, value: 'registry.example/errata:latest' },
  ],
};

/** Paths of backend/src/health, which the listener of MANAGEMENT_PORT serves. */
const PATHS = { startupProbe: '/startupz', livenessProbe: '/livez', readinessProbe: '/readyz' } as const;
const PORTS = { http: Number(SETTINGS.port.default), management: Number(SETTINGS.managementPort.default) };

export const probes: Rule = {
  name: 'probes',
  check: (root) =>
    containersOf(root).flatMap((container) => {
      const wrongProbes = (['startupProbe', 'livenessProbe', 'readinessProbe'] as const).filter((name) => {
        const get = container[name]?.httpGet;
        return get?.path !== PATHS[name] || get.port !== 'management';
      });
      const wrongPorts = (['http', 'management'] as const).filter(
        (name) => !container.ports?.some((port) => port.name === name && port.containerPort === PORTS[name]),
      );
      return [
        ...wrongProbes.map((name) => `${name} does not get ${PATHS[name]} from the port management`),
        ...wrongPorts.map((name) => `the port ${name} is not ${PORTS[name]}`),
      ];
    }),
  faults: [
    { object: 'StatefulSet/errata', path: `${CONTAINER}/livenessProbe/httpGet/path`, value: '/readyz' },
    { object: 'StatefulSet/errata', path: `${CONTAINER}/readinessProbe/httpGet/port`, value: 'http' },
    { object: 'StatefulSet/errata', path: `${CONTAINER}/ports/1/containerPort`, value: 9090 },
  ],
};

/** Proxies route to a pod for some seconds after it began to leave. */
const LEAST_PRE_STOP_SECONDS = 5;
/** Time to close the databases and to end connections. */
const CLOSING_SECONDS = 10;

/** A pod that is killed while it drains loses nothing, but sends the envelopes in flight twice. */
export const leaving: Rule = {
  name: 'leaving',
  check: (root) =>
    podsOf(root).flatMap(({ spec, containers }) => {
      const preStop = Math.max(
        0,
        ...containers.map(({ lifecycle }) => lifecycle?.preStop?.sleep?.seconds ?? 0),
      );
      const drain = (numberOf(root, 'shutdownDelayMs') + numberOf(root, 'drainTimeoutMs')) / 1_000;
      const needed = preStop + drain + CLOSING_SECONDS;
      const grace = spec.terminationGracePeriodSeconds ?? 0;
      return [
        ...(preStop >= LEAST_PRE_STOP_SECONDS
          ? []
          : [`preStop sleeps less than ${LEAST_PRE_STOP_SECONDS} s`]),
        ...(needed <= grace ? [] : [`leaving takes up to ${needed} s, the pod is killed after ${grace} s`]),
      ];
    }),
  faults: [
    { object: 'StatefulSet/errata', path: `${SPEC}/terminationGracePeriodSeconds`, value: 30 },
    { object: 'StatefulSet/errata', path: `${CONTAINER}/lifecycle`, value: undefined },
    { object: 'ConfigMap/errata-', path: '/data/ERRATA_DRAIN_TIMEOUT', value: '2m' },
    { object: 'ConfigMap/errata-', path: '/data/ERRATA_SHUTDOWN_DELAY', value: '20' },
  ],
};

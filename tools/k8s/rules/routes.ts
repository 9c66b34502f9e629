import { SETTINGS } from '../../../backend/src/config/settings.ts';
import { ofKind, type Root } from '../manifest.ts';
import type { Rule } from '../rule.ts';

/** Paths that browsers post to, on the host of their own application. */
const BROWSER_PATHS = [`${SETTINGS.tunnelPath.default}`, '/reports'];

export const routes: Rule = {
  name: 'routes',
  check: (root) => [...backendFaults(root), ...pathFaults(root)],
  faults: [
    { object: 'HTTPRoute/errata', path: '/spec/rules/0/backendRefs/0/port', value: 3000 },
    { object: 'HTTPRoute/errata-tunnel', path: '/spec/rules/0/backendRefs/0/name', value: 'errata-http' },
    { object: 'HTTPRoute/errata-tunnel', path: '/spec/rules/0/matches/1/path/value', value: '/report' },
    {
      object: 'Ingress/errata',
      path: '/spec/rules/1/http/paths/0/backend/service/port/name',
      value: 'management',
    },
  ],
};

function backendFaults(root: Root): readonly string[] {
  const known = new Set(
    ofKind(root, 'Service').flatMap(({ metadata, spec }) =>
      (spec?.ports ?? []).flatMap(({ name, port }) => [
        `${metadata?.name}:${name}`,
        `${metadata?.name}:${port}`,
      ]),
    ),
  );
  const used = [
    ...ofKind(root, 'HTTPRoute').flatMap(({ spec }) =>
      (spec?.rules ?? []).flatMap(({ backendRefs = [] }) =>
        backendRefs.map(({ name, port }) => `${name}:${port}`),
      ),
    ),
    ...ingressPaths(root).map(({ backend: { service } }) => `${service?.name}:${service?.port?.name}`),
  ];
  return used.filter((backend) => !known.has(backend)).map((backend) => `${backend} is no port of a Service`);
}

/** Both paths are needed: the application answers a path without a route with a 404, and the reports are lost. */
function pathFaults(root: Root): readonly string[] {
  const paths = [
    ...ofKind(root, 'HTTPRoute').flatMap(({ spec }) =>
      (spec?.rules ?? []).flatMap(({ matches = [] }) => matches.map(({ path }) => path?.value)),
    ),
    ...ingressPaths(root).map(({ path }) => path),
  ];
  if (paths.length === 0) return [];
  return BROWSER_PATHS.filter((path) => !paths.includes(path)).map((path) => `no route for ${path}`);
}

function ingressPaths(root: Root) {
  return ofKind(root, 'Ingress').flatMap(({ spec }) =>
    (spec?.rules ?? []).flatMap(({ http }) => http?.paths ?? []),
  );
}

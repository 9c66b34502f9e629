import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubernetesObject, type Root, titleOf } from './manifest.ts';
import { plant, type PlantedFault, textOf, type Trial } from './rule.ts';
import { run } from './run.ts';

/**
 * Checks the fields of objects: each becomes a literal in a TypeScript file, typed with the schema of its kind, and the
 * compiler refuses unknown fields and wrong types. The API server would drop an unknown field in silence.
 */

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');

const KUBERNETES = 'kubernetes-models';
const GATEWAY = '@kubernetes-models/gateway-api';
const OPERATOR = '@kubernetes-models/prometheus-operator';
/** The kinds that manifests may have. Namespaces, Secrets, gateways, databases and cluster-wide objects are the team's. */
const PACKAGES: Readonly<Record<string, string>> = {
  'apps/v1/StatefulSet': KUBERNETES,
  'gateway.networking.k8s.io/v1/HTTPRoute': GATEWAY,
  'monitoring.coreos.com/v1/PodMonitor': OPERATOR,
  'monitoring.coreos.com/v1/PrometheusRule': OPERATOR,
  'networking.k8s.io/v1/Ingress': KUBERNETES,
  'networking.k8s.io/v1/NetworkPolicy': KUBERNETES,
  'policy/v1/PodDisruptionBudget': KUBERNETES,
  'v1/ConfigMap': KUBERNETES,
  'v1/Service': KUBERNETES,
  'v1/ServiceAccount': KUBERNETES,
};

const FAULTS: readonly PlantedFault[] = [
  { object: 'StatefulSet/errata', path: '/spec/template/spec/containers/0/livenessProb', value: {} },
  { object: 'StatefulSet/errata', path: '/spec/replicas', value: '3' },
  { object: 'HTTPRoute/errata', path: '/spec/rules/0/backendRefs/0/name', value: undefined },
  { object: 'PodMonitor/errata', path: '/spec/podMetricsEndpoints', value: { port: 'management' } },
  { object: 'Service/errata', path: '/kind', value: 'Secret' },
];

interface Labelled {
  readonly label: string;
  readonly object: KubernetesObject;
}

/** Findings in the roots, and the planted faults; in one run of the compiler, which takes a second or two. */
export async function checkTypes(
  roots: readonly Root[],
): Promise<{ readonly findings: readonly string[]; readonly trials: readonly Trial[] }> {
  const real = distinct(roots);
  const planted = FAULTS.map((fault) => ({
    label: `types: ${textOf(fault)}`,
    object: plant(roots, fault).object,
  }));
  const faults = await compile([...real, ...planted]);
  const isAbout = ({ label }: Labelled, { about }: TypeFault): boolean => label === about;
  return {
    findings: real.flatMap((each) =>
      faults.filter((fault) => isAbout(each, fault)).map(({ about, text }) => `${about}: types: ${text}`),
    ),
    trials: planted.map((each) => ({
      fault: each.label,
      isFound: faults.some((fault) => isAbout(each, fault)),
    })),
  };
}

/** The objects without repetitions: most are the same in several roots. */
function distinct(roots: readonly Root[]): readonly Labelled[] {
  const all = roots.flatMap(({ name, objects }) =>
    objects.map((object) => ({ label: `${name}: ${titleOf(object)}`, object })),
  );
  return [
    ...new Map(all.toReversed().map((each) => [JSON.stringify(each.object), each])).values(),
  ].toReversed();
}

interface TypeFault {
  /** Label of the object. */
  readonly about: string;
  readonly text: string;
}

async function compile(objects: readonly Labelled[]): Promise<readonly TypeFault[]> {
  const typed = objects.map((each) => ({ ...each, module: moduleOf(each.object) }));
  const unknown = typed.filter(({ module }) => module === null);
  const known = typed.filter(({ module }) => module !== null);
  const lines = known.flatMap(({ label, object, module }, index) =>
    [
      `import type { I${object.kind} as T${index} } from '${module}';`,
      ...`export const object${index}: T${index} = ${JSON.stringify(object, null, 1)};`.split('\n'),
    ].map((line) => ({ label, line })),
  );
  const output = await runCompiler(lines.map(({ line }) => line).join('\n'));
  return [
    ...unknown.map(({ label, object }) => ({
      about: label,
      text: `${object.apiVersion} ${object.kind} is none of the kinds of the manifests`,
    })),
    ...[...output.matchAll(/^objects\.ts\((\d+),\d+\): error TS\d+: (.*)$/gm)].map(([, number, text]) => {
      const place = lines[Number(number) - 1];
      return { about: place?.label ?? '', text: `${place?.line.trim()}: ${text}` };
    }),
  ];
}

function moduleOf({ apiVersion, kind }: KubernetesObject): string | null {
  const name = `${apiVersion}/${kind}`;
  const from = PACKAGES[name];
  return from === undefined ? null : `${from}/${name}`;
}

const OPTIONS = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: [],
};

/** Returns the output of the compiler. @throws Error when it reports anything but faults of the objects. */
async function runCompiler(source: string): Promise<string> {
  // Below node_modules, so that the compiler resolves the packages.
  mkdirSync(join(MODULES, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(MODULES, '.cache', 'errata-k8s-'));
  try {
    writeFileSync(join(folder, 'objects.ts'), source);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: OPTIONS, files: ['objects.ts'] }),
    );
    const { stdout: output } = await run(join(MODULES, '.bin', 'tsc'), ['--pretty', 'false'], folder);
    const other = output
      .split('\n')
      .find((line) => /\berror TS/.test(line) && !line.startsWith('objects.ts('));
    if (other !== undefined) throw new Error(other);
    return output;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

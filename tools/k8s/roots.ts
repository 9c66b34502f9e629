import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import { type Root, rootOf } from './manifest.ts';
import { inFolder, run } from './run.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const MANIFESTS = join(PROJECT, 'docker', 'kubernetes');
const COMPONENTS = readdirSync(join(MANIFESTS, 'components'));
const SNIPPETS = join(PROJECT, 'docs', 'operations.md');

/** A part of a kustomization. */
type Kustomization = Readonly<Record<string, unknown>>;

/** Without the networks of gateways the pod of the component error-pages does not start, and the chart is refused. */
const TRUSTING = {
  configMapGenerator: [{ name: 'errata', behavior: 'merge', literals: ['ERRATA_TRUST_PROXY=10.0.0.0/8'] }],
};

/** Renders both overlays, each component with `replicated`, and the example. @throws Error with kubectl's message. */
export function renderRoots(kubectl: string): Promise<readonly Root[]> {
  return Promise.all([
    ...['overlays/single', 'overlays/replicated', 'example'].map(async (name) =>
      rootOf(name, await kustomize(kubectl, join(MANIFESTS, name))),
    ),
    ...COMPONENTS.map((name) =>
      renderReplicated(kubectl, `replicated with ${name}`, [name], name === 'error-pages' ? TRUSTING : {}),
    ),
  ]);
}

/**
 * Renders each snippet of docs/operations.md, and each of its patches alone, on `replicated` with all components. The first
 * root is without one, the last has a suffix.
 *
 * @throws Error with kubectl's message: a patch fails when its path does not exist.
 */
export async function renderSnippets(kubectl: string): Promise<readonly Root[]> {
  const blocks = [...readFileSync(SNIPPETS, 'utf8').matchAll(/^```yaml\n(.*?)^```/gms)];
  const snippets = blocks.map(([, block = '']) => parse(block.replace(/^---[^]*/m, '')) as Kustomization);
  const parts = snippets
    .filter(isPart)
    .flatMap(({ patches = [], ...rest }) => [
      ...(Object.keys(rest).length === 0 ? [] : [rest]),
      ...(patches as readonly unknown[]).map((patch) => ({ patches: [patch] })),
    ]);
  const rootOfPart = (part: Kustomization): Promise<Root> =>
    renderReplicated(kubectl, `docs/operations.md: ${JSON.stringify(part)}`, COMPONENTS, part);
  return Promise.all([{}, ...parts, { nameSuffix: '-b' }].map(rootOfPart));
}

/** Other snippets are whole objects, or for other programs. */
const isPart = (snippet: Kustomization): boolean =>
  Object.keys(snippet).every((key) => /^(patches|replicas|configMapGenerator|labels|namePrefix)$/.test(key));

/** Renders `replicated` with components and a part of a kustomization. */
async function renderReplicated(
  kubectl: string,
  name: string,
  components: readonly string[],
  part: Kustomization = {},
): Promise<Root> {
  const names = components.map((component) => `components/${component}`);
  return rootOf(name, await renderOverlay(kubectl, 'replicated', part, names));
}

/**
 * Renders an overlay with a part of a kustomization of one's own.
 *
 * @throws Error with kubectl's message.
 */
export function renderOverlay(
  kubectl: string,
  overlay: string,
  part: Kustomization,
  components: readonly string[] = [],
): Promise<string> {
  return inFolder((place) => {
    // kustomize accepts relative paths only.
    const pathOf = (name: string): string => relative(place, join(MANIFESTS, name));
    const resources = [pathOf(`overlays/${overlay}`)];
    const kustomization = JSON.stringify({ resources, components: components.map(pathOf), ...part });
    writeFileSync(join(place, 'ca.crt'), 'of the company');
    writeFileSync(join(place, 'kustomization.yaml'), kustomization);
    return kustomize(kubectl, place, kustomization);
  });
}

async function kustomize(kubectl: string, place: string, name = place): Promise<string> {
  const { status, stdout, output } = await run(kubectl, ['kustomize', place]);
  if (status !== 0) throw new Error(`${name}: ${output.trim()}`);
  return stdout;
}

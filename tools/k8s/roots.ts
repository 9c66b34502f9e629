import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type Root, rootOf } from './manifest.ts';
import { run } from './run.ts';

const MANIFESTS = join(import.meta.dirname, '..', '..', 'docker', 'kubernetes');

/** Renders both overlays, each component with `replicated`, and the example. @throws Error with kubectl's message. */
export async function renderRoots(kubectl: string): Promise<readonly Root[]> {
  const folder = mkdtempSync(join(tmpdir(), 'errata-k8s-'));
  try {
    const components = readdirSync(join(MANIFESTS, 'components'));
    const places = new Map([
      ...['overlays/single', 'overlays/replicated'].map((name) => [name, join(MANIFESTS, name)] as const),
      ...components.map((name) => [`replicated with ${name}`, withComponent(folder, name)] as const),
      ['example', join(MANIFESTS, 'example')] as const,
    ]);
    return await Promise.all([...places].map(([name, place]) => render(kubectl, name, place)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes a kustomization of `replicated` with one component. kustomize accepts relative paths only. */
function withComponent(folder: string, component: string): string {
  const place = mkdtempSync(join(folder, `${component}-`));
  const pathOf = (...names: readonly string[]): string => relative(place, join(MANIFESTS, ...names));
  const kustomization = {
    resources: [pathOf('overlays', 'replicated')],
    components: [pathOf('components', component)],
  };
  writeFileSync(join(place, 'kustomization.yaml'), JSON.stringify(kustomization));
  return place;
}

async function render(kubectl: string, name: string, place: string): Promise<Root> {
  const { status, stdout, output } = await run(kubectl, ['kustomize', place]);
  if (status !== 0) throw new Error(`${name}: ${output.trim()}`);
  return rootOf(name, stdout);
}

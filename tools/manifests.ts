import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fail, messageOf } from './command-line.ts';
import { packageChart } from './k8s/chart/package-chart.ts';
import { findProgram, HELM, KUBECTL } from './k8s/programs.ts';
import { renderOverlay } from './k8s/roots.ts';

/**
 * Renders both overlays with a released image into build/errata-<overlay>.yaml, for `kubectl apply -f`, and packages the
 * chart with it into build/errata-<version>.tgz, for `helm install`:
 * `node tools/manifests.ts ghcr.io/owner/errata@sha256:<digest>`.
 */

const ROOT = join(import.meta.dirname, '..');
const OVERLAYS = ['single', 'replicated'];
/** A digest and no tag: a tag can be moved to other code. */
const PINNED = /^(?<newName>[^@\s]+)@(?<digest>sha256:[0-9a-f]{64})$/;

/** Returns the entry of a kustomization that replaces the placeholder of the manifests. @throws Error without a digest. */
export function imageEntry(image: string): Readonly<Record<string, string>> {
  const { groups } = PINNED.exec(image) ?? {};
  if (groups === undefined) throw new Error(`IMAGE: expected name@sha256:digest, got "${image}"`);
  return { name: 'registry.example/errata', ...groups };
}

async function render(kubectl: string, overlay: string, image: string): Promise<string> {
  const text = await renderOverlay(kubectl, overlay, { images: [imageEntry(image)] });
  // kustomize ignores an entry whose name it does not find.
  if (!text.includes(` image: ${image}\n`)) throw new Error(`${overlay}: no container has the image`);
  return text;
}

async function main(image: string): Promise<void> {
  imageEntry(image);
  const [kubectl, helm] = [await findProgram(KUBECTL), await findProgram(HELM)];
  if (kubectl.path === null) throw new Error(kubectl.problem);
  if (helm.path === null) throw new Error(helm.problem);
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  for (const overlay of OVERLAYS) {
    const path = join('build', `errata-${overlay}.yaml`);
    writeFileSync(join(ROOT, path), await render(kubectl.path, overlay, image));
    process.stdout.write(`${path}\n`);
  }
  const chart = await packageChart(helm.path, image, join(ROOT, 'build'));
  process.stdout.write(`${relative(ROOT, chart)}\n`);
}

if (import.meta.main) await main(process.argv[2] ?? '').catch((error: unknown) => fail(messageOf(error)));

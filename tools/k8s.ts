import { writeFileSync } from 'node:fs';
import { checkChart } from './k8s/chart/check-chart.ts';
import { checkAlerts } from './k8s/check-alerts.ts';
import { breaches, tryRules } from './k8s/check-rules.ts';
import type { Root } from './k8s/manifest.ts';
import { findProgram, HELM, KUBECTL, PROMTOOL } from './k8s/programs.ts';
import { linesOf, outcomeOf } from './k8s/report.ts';
import { renderRoots } from './k8s/roots.ts';

/**
 * Checks the manifests of docker/kubernetes without a cluster and without root: renders them, checks schemas and rules,
 * compares them with the Helm chart of docker/chart, and lets each alert fire. A part whose program can neither be found nor fetched is skipped, with a line that names it.
 *
 * K8S_REPORT names the file of the report for `make test`.
 */

function checkManifests(roots: readonly Root[]) {
  return {
    roots: roots.length,
    objects: roots.reduce((sum, root) => sum + root.objects.length, 0),
    findings: roots.flatMap(breaches),
    trials: tryRules(roots),
  };
}

async function main(): Promise<void> {
  const [kubectl, helm, promtool] = await Promise.all([
    findProgram(KUBECTL),
    findProgram(HELM),
    findProgram(PROMTOOL),
  ]);
  const roots = kubectl.path === null ? null : await renderRoots(kubectl.path);
  const manifests = roots === null ? null : checkManifests(roots);
  const [chart, alerts] = await Promise.all([
    roots === null || helm.path === null ? null : checkChart(helm.path, roots),
    promtool.path === null ? null : checkAlerts(promtool.path),
  ]);
  const results = {
    manifests,
    chart,
    alerts: alerts?.results ?? null,
    trials: [manifests, chart, alerts].flatMap((part) => part?.trials ?? []),
    skips: [
      ...(kubectl.path === null ? [`manifests, rules and chart: ${kubectl.problem}`] : []),
      ...(helm.path === null ? [`chart: ${helm.problem}`] : []),
      ...(promtool.path === null ? [`alerts: ${promtool.problem}`] : []),
    ],
  };
  for (const line of linesOf(results)) process.stdout.write(`${line}\n`);
  const outcome = outcomeOf(results);
  const { K8S_REPORT: report } = process.env;
  if (report !== undefined) writeFileSync(report, JSON.stringify(outcome));
  process.exitCode = outcome.failed > 0 ? 1 : 0;
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

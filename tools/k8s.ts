import { writeFileSync } from 'node:fs';
import { fail, messageOf } from './command-line.ts';
import { checkChart } from './k8s/chart/check-chart.ts';
import { checkAlerts } from './k8s/check-alerts.ts';
import { checkRules } from './k8s/check-rules.ts';
import { findProgram, HELM, KUBECTL, PROMTOOL } from './k8s/programs.ts';
import { linesOf, outcomeOf } from './k8s/report.ts';
import { renderRoots, renderSnippets } from './k8s/roots.ts';

/**
 * Checks the manifests of docker/kubernetes without a cluster and without root: renders them and the snippets of
 * docs/operations.md, checks schemas and rules,
 * compares them with the Helm chart of docker/chart, and lets each alert fire. A part whose program can neither be found nor fetched is skipped, with a line that names it.
 *
 * K8S_REPORT names the file of the report for `make test`.
 */

async function main(): Promise<void> {
  const [kubectl, helm, promtool] = await Promise.all([
    findProgram(KUBECTL),
    findProgram(HELM),
    findProgram(PROMTOOL),
  ]);
  const roots = kubectl.path === null ? null : await renderRoots(kubectl.path);
  const others = await Promise.all([
    roots === null || helm.path === null ? null : checkChart(helm.path, roots),
    promtool.path === null ? null : checkAlerts(promtool.path),
  ]);
  const snippets = kubectl.path === null ? [] : await renderSnippets(kubectl.path);
  const manifests = roots === null ? null : checkRules(roots, snippets);
  const done = [manifests, ...others].filter((result) => result !== null);
  const parts = [
    ...done.map(({ part }) => part),
    { total: 'planted faults found', checks: done.flatMap(({ trials }) => trials) },
  ];
  const skips = [
    ...(kubectl.path === null ? [`manifests, rules and chart: ${kubectl.problem}`] : []),
    ...(helm.path === null ? [`chart: ${helm.problem}`] : []),
    ...(promtool.path === null ? [`alerts: ${promtool.problem}`] : []),
  ];
  for (const line of linesOf(parts, skips)) process.stdout.write(`${line}\n`);
  const outcome = outcomeOf(parts, skips);
  const { K8S_REPORT: report } = process.env;
  if (report !== undefined) writeFileSync(report, JSON.stringify(outcome));
  process.exitCode = outcome.failed > 0 ? 1 : 0;
}

await main().catch((error: unknown) => fail(messageOf(error)));

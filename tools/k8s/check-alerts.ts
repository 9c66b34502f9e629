import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type AlertCase, CASES, FAULT_MINUTE, FAULTS, HEALTHY, QUIET, QUIET_MINUTES } from './alert-cases.ts';
import type { KubernetesObject, Root } from './manifest.ts';
import { plant, textOf, type Trial } from './plant.ts';
import { alertsOf } from './rules/alerts.ts';
import { run } from './run.ts';

const ALERTS = join(import.meta.dirname, '..', '..', 'docker/kubernetes/components/monitoring/alerts.yaml');

/** The result for one alert; null: it fires in each of its cases, and in no quiet one. */
export interface AlertResult {
  readonly alert: string;
  readonly problem: string | null;
}

/** Tests the alerts with promtool, and again with each planted fault. */
export async function checkAlerts(
  promtool: string,
): Promise<{ readonly results: readonly AlertResult[]; readonly trials: readonly Trial[] }> {
  const object = parse(readFileSync(ALERTS, 'utf8')) as KubernetesObject;
  const root: Root = { name: 'monitoring', objects: [object] };
  const results = await testAlerts(promtool, root);
  const trials = FAULTS.map(async (fault) => {
    const planted = await testAlerts(promtool, plant([root], fault).root);
    return { fault: `alerts: ${textOf(fault)}`, isFound: planted.some(({ problem }) => problem !== null) };
  });
  return { results, trials: await Promise.all(trials) };
}

async function testAlerts(promtool: string, root: Root): Promise<readonly AlertResult[]> {
  const alerts = alertsOf(root);
  const folder = mkdtempSync(join(tmpdir(), 'errata-alerts-'));
  const write = (name: string, content: object): string => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  try {
    const rules = write('rules.json', { groups: [{ name: 'errata', rules: alerts }] });
    const check = await run(promtool, ['check', 'rules', rules]);
    if (check.status !== 0) return [{ alert: 'promtool check rules', problem: check.output.trim() }];
    // The texts are checked above; a test of promtool would have to repeat each of them.
    const untexted = alerts.map((alert) => ({ ...alert, annotations: {} }));
    write('tested.json', { groups: [{ name: 'errata', rules: untexted }] });
    const severities = new Map(alerts.map(({ alert, labels }) => [alert, labels['severity'] ?? '']));
    const test = await run(promtool, ['test', 'rules', write('tests.json', testFile(severities))]);
    const results = alerts.map(({ alert }) => ({ alert, problem: problemOf(alert, test.output) }));
    return test.status === 0 || results.some(({ problem }) => problem !== null)
      ? results
      : [{ alert: 'promtool test rules', problem: test.output.trim() }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A file of `promtool test rules`. @param severities severity of each alert */
function testFile(severities: ReadonlyMap<string, string>): object {
  const none = [...severities.keys()].flatMap((alertname) =>
    QUIET_MINUTES.map((minute) => ({ eval_time: `${minute}m`, alertname, exp_alerts: [] })),
  );
  const groupOf = (series: AlertCase['series'], alert_rule_test: readonly object[]): object => ({
    interval: '1m',
    input_series: Object.entries({ ...HEALTHY, ...series }).map(([name, values]) => ({
      series: name,
      values,
    })),
    alert_rule_test,
  });
  return {
    rule_files: ['tested.json'],
    evaluation_interval: '1m',
    tests: [
      ...QUIET.map((series) => groupOf(series, none)),
      ...CASES.map(({ alert, series, labels }) => {
        const exp_labels = { ...labels, severity: severities.get(alert) };
        const expected = { eval_time: `${FAULT_MINUTE}m`, alertname: alert, exp_alerts: [{ exp_labels }] };
        return groupOf(series, [expected]);
      }),
    ],
  };
}

/** Returns promtool's lines about an alert. An alert without a case could be one that never fires. */
function problemOf(alert: string, output: string): string | null {
  if (!CASES.some((each) => each.alert === alert)) return 'no case in alert-cases.ts';
  const blocks = output.split(/^(?=\s+(?:name: .*)?alertname:)/m);
  const about = blocks.filter((block) => new RegExp(`alertname: ?${alert},`).test(block));
  return about.length === 0 ? null : about.map((block) => block.trim()).join('\n');
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CASES, FAULT_MINUTE, FAULTS, HEALTHY, QUIET, QUIET_MINUTES } from './alert-cases.ts';
import { plant, rootOf } from './manifest.ts';
import { type Result, trialOf } from './report.ts';
import { type Alert, alertsOf } from './rules/alerts.ts';
import { inFolder, run } from './run.ts';

const ALERTS = join(import.meta.dirname, '..', '..', 'docker/kubernetes/components/monitoring/alerts.yaml');

/** Tests the alerts with promtool, and each planted fault beside them. */
export async function checkAlerts(promtool: string): Promise<Result> {
  const root = rootOf('monitoring', readFileSync(ALERTS, 'utf8'));
  const alerts = alertsOf(root);
  const known = new Set(alerts.map((alert) => JSON.stringify(alert)));
  // Each fault changes one alert. One whose text is missing is not planted, and so not found.
  const planted = FAULTS.flatMap(
    ([from, to]) =>
      alertsOf(plant([root], from, to) ?? root).find((alert) => !known.has(JSON.stringify(alert))) ??
      alerts.slice(0, 1),
  );
  const problems = await inFolder((folder) => testAlerts(promtool, [...alerts, ...planted], folder));
  return {
    part: {
      total: 'alerts fire',
      checks: alerts.map(({ alert }, index) => ({ name: alert, problems: problems[index] ?? [] })),
    },
    trials: FAULTS.map(([from, to], index) =>
      trialOf(`alerts: "${from}" becomes "${to}"`, problems[alerts.length + index]?.length !== 0),
    ),
  };
}

/** Returns the problems of each alert. Each has files of its own, because promtool evaluates all rules of a file. */
async function testAlerts(
  promtool: string,
  alerts: readonly Alert[],
  folder: string,
): Promise<readonly (readonly string[])[]> {
  const write = (name: string, content: object): string => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  const rulesOf = (alert: object): object => ({ groups: [{ name: 'errata', rules: [alert] }] });
  const rules = alerts.map((alert, index) => write(`rules-${index}.json`, rulesOf(alert)));
  const tests = alerts.map((alert, index) => {
    // The texts are checked in the other file; a test of promtool would have to repeat each of them.
    write(`untexted-${index}.json`, rulesOf({ ...alert, annotations: {} }));
    return write(`tests-${index}.json`, testFile(`untexted-${index}.json`, alert));
  });
  // In one stream: promtool writes the name of a file to one, and its faults to the other.
  const outputOf = async (args: readonly string[]): Promise<string> =>
    (await run('sh', ['-c', 'exec "$0" "$@" 2>&1', promtool, ...args])).output;
  const checked = await outputOf(['check', 'rules', ...rules]);
  const tested = await outputOf(['test', 'rules', ...tests]);
  return alerts.map(({ alert }, index) => [
    ...problemsIn(checked, /^Checking (.*)$/m, rules[index]),
    ...problemsIn(tested, /^Unit Testing: +(.*)$/m, tests[index]),
    // It could be one that never fires.
    ...(CASES.some(([name]) => name === alert) ? [] : ['no case in alert-cases.ts']),
  ]);
}

/** A file of `promtool test rules`. */
function testFile(rules: string, { alert, labels: { severity } }: Alert): object {
  const testAt = (minute: number, exp_alerts: readonly object[]): object => ({
    eval_time: `${minute}m`,
    alertname: alert,
    exp_alerts,
  });
  const quiet = QUIET.map((series) => ({ series, tests: QUIET_MINUTES.map((minute) => testAt(minute, [])) }));
  const loud = CASES.filter(([name]) => name === alert).map(([, series, labels]) => ({
    series,
    tests: [testAt(FAULT_MINUTE, [{ exp_labels: { ...labels, severity } }])],
  }));
  return {
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: [...quiet, ...loud].map(({ series, tests }) => ({
      interval: '1m',
      input_series: Object.entries({ ...HEALTHY, ...series }).map(([name, values]) => ({
        series: name,
        values,
      })),
      alert_rule_test: tests,
    })),
  };
}

/** Returns promtool's text about a file that fails. @param heading its line before each file */
function problemsIn(output: string, heading: RegExp, file = ''): readonly string[] {
  const parts = output.split(heading);
  const text = parts[parts.indexOf(file) + 1]?.trim() ?? '';
  return text.startsWith('SUCCESS') ? [] : [text];
}

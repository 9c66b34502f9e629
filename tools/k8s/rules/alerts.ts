import { ofKind, type Root } from '../manifest.ts';
import { type Series, seriesAtStart } from '../series-at-start.ts';

/** Labels that Prometheus adds to each series of a pod. */
const TARGET_LABELS: ReadonlySet<string> = new Set(['namespace', 'pod']);
const SEVERITIES = ['critical', 'warning'];

const series = await seriesAtStart();

/** An alert on a series that does not exist never fires, and Prometheus reports no error. */
export const alerts = (root: Root): readonly string[] =>
  alertsOf(root).flatMap((alert) => [...seriesFaults(alert), ...textFaults(alert)]);

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export function alertsOf(root: Root): readonly Alert[] {
  return ofKind(root, 'PrometheusRule').flatMap(({ spec }) =>
    (spec?.groups ?? []).flatMap(({ rules = [] }) =>
      rules.map(({ alert = '', expr, for: duration, labels = {}, annotations = {} }) => ({
        alert,
        expr: `${expr}`,
        for: duration,
        labels,
        annotations,
      })),
    ),
  );
}

function seriesFaults({ alert, expr }: Alert): readonly string[] {
  const selected = [...expr.matchAll(/\b(errata_\w+)(?:\{([^}]*)\})?/g)].map(
    ([selector, name = '', matchers = '']) => ({
      selector,
      found: series.filter((one) => one.name === name && isSelected(one, matchers)),
    }),
  );
  const labels = new Set(selected.flatMap(({ found }) => found.flatMap((one) => Object.keys(one.labels))));
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/\s*,\s*/));
  return [
    ...selected
      .filter(({ found }) => found.length === 0)
      .map(({ selector }) => `${alert}: Errata starts without a series ${selector}`),
    ...grouped
      .filter((name) => !TARGET_LABELS.has(name) && !labels.has(name))
      .map((name) => `${alert}: no series has the label ${name}`),
  ];
}

function isSelected({ labels }: Series, matchers: string): boolean {
  return [...matchers.matchAll(/(\w+)\s*(!?)(=|~)~?\s*"([^"]*)"/g)].every(
    ([, name = '', not, kind, text = '']) => {
      const value = `${labels[name] ?? ''}`;
      const isEqual = kind === '~' ? new RegExp(`^(?:${text})$`).test(value) : value === text;
      return isEqual === (not === '');
    },
  );
}

function textFaults({ alert, for: duration, labels, annotations }: Alert): readonly string[] {
  return [
    ...(duration === undefined ? [`${alert}: no duration`] : []),
    ...(SEVERITIES.includes(labels['severity'] ?? '') ? [] : [`${alert}: no known severity`]),
    ...((annotations['summary'] ?? '') === '' ? [`${alert}: no summary`] : []),
    ...(annotations['runbook_url'] === `docs/operations.md#${alert.toLowerCase()}`
      ? []
      : [`${alert}: runbook_url is not its heading in docs/operations.md`]),
  ];
}

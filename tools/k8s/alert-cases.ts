import { faultsOf } from './plant.ts';

/** A fault with the alert that must fire for it. */
export interface AlertCase {
  readonly alert: string;
  readonly fault: string;
  /** Series that differ from HEALTHY, in promtool's notation: one value a minute, `_` where there is none. */
  readonly series: Readonly<Record<string, string>>;
  /** Labels of the alert beside its severity. */
  readonly labels: Readonly<Record<string, string>>;
}

const POD = { namespace: 'n', pod: 'errata-0' };
const IN_POD = 'namespace="n",pod="errata-0"';
const MOVED = `${IN_POD},instance="10.0.0.2:9464"`;

const UP = `up{${IN_POD},container="errata",endpoint="management"}`;
const FILL = `errata_spool_fill{${IN_POD}}`;
const OLDEST = `errata_spool_oldest_seconds{${IN_POD},class="critical"}`;
const MISSING = `errata_spool_envelopes{${IN_POD},fate="missing"}`;
const PAUSED = `errata_relay_paused{${IN_POD},sink="a"}`;
const DROPPED = `errata_dropped_items{${IN_POD},category="error",reason="queue_overflow"}`;
const REFUSED = `errata_dropped_items{${IN_POD},category="error",reason="send_error"}`;
const REPLAYS = `errata_dropped_items{${IN_POD},category="replay",reason="queue_overflow"}`;
const SPOOL_FAULTS = `errata_spool_faults_total{${IN_POD},fault="write"}`;
const STORE_FAULTS = `errata_store_faults_total{${IN_POD}}`;
const DEAD = `errata_dead_letters{${IN_POD}}`;
const claim = (name: string): string =>
  `kube_persistentvolumeclaim_status_phase{namespace="n",phase="Bound",persistentvolumeclaim="${name}"}`;
const CLAIM_USED = `kube_pod_spec_volumes_persistentvolumeclaims_info{${IN_POD},persistentvolumeclaim="data-errata-0"}`;

/** Two hours of a pod that works, without a reason to alert: dropped replays, a refused error, a short queue. */
export const HEALTHY: Readonly<Record<string, string>> = {
  [UP]: '1x120',
  [FILL]: '0.1x60 0.9x5 0.1x55',
  [OLDEST]: '0x60 1000x3 0x57',
  [MISSING]: '0x120',
  [PAUSED]: '0x120',
  [DROPPED]: '0x120',
  [REFUSED]: '0x5 1x115',
  [REPLAYS]: '0+1x120',
  [SPOOL_FAULTS]: '0x120',
  [STORE_FAULTS]: '0x120',
  [DEAD]: '0x5 1x30 0x85',
  [claim('data-errata-0')]: '1x120',
  [claim('data-of-another')]: '1x120',
  [CLAIM_USED]: '1x120',
};

/** Differences from HEALTHY for which no alert may fire, either. */
export const QUIET: readonly AlertCase['series'][] = [
  {},
  // A pod that moved has a new address. Prometheus has both series for some scrapes.
  { [DROPPED]: '5x62 stale _x57', [DROPPED.replace(IN_POD, MOVED)]: '_x60 5x60' },
];
/** Minutes at which no alert may fire while all is well: within and after short disturbances. */
export const QUIET_MINUTES = [35, 62, 64, 104];
/** Faults begin after 90 minutes and last; at this minute the alert of each must fire. */
export const FAULT_MINUTE = 104;

export const CASES: readonly AlertCase[] = [
  { alert: 'ErrataDown', fault: 'a pod does not answer', series: { [UP]: '1x90 0x30' }, labels: POD },
  {
    alert: 'ErrataDown',
    fault: 'no pod',
    series: { [UP]: '1x90 _x30', [FILL]: '0.1x90 _x30' },
    labels: {},
  },
  { alert: 'ErrataErrorWaits', fault: 'an old error', series: { [OLDEST]: '0x90 1000x30' }, labels: POD },
  {
    alert: 'ErrataDsnPaused',
    fault: 'a paused DSN',
    series: { [PAUSED]: '0x90 1x30' },
    labels: { namespace: 'n', sink: 'a' },
  },
  { alert: 'ErrataSpoolFills', fault: 'a full spool', series: { [FILL]: '0.1x90 0.9x30' }, labels: POD },
  { alert: 'ErrataErrorsDropped', fault: 'the first drop', series: { [DROPPED]: '0x90 1x30' }, labels: POD },
  {
    alert: 'ErrataErrorsDropped',
    fault: 'a drop at the start of a moved pod',
    series: { [DROPPED]: '0x85 _x35', [DROPPED.replace(IN_POD, MOVED)]: '_x90 1x30' },
    labels: POD,
  },
  {
    alert: 'ErrataSpoolFault',
    fault: 'a failed write',
    series: { [SPOOL_FAULTS]: '0x90 1x30' },
    labels: POD,
  },
  {
    alert: 'ErrataSpoolFault',
    fault: 'the first value of a moved pod',
    series: { [SPOOL_FAULTS]: '0x85 _x35', [SPOOL_FAULTS.replace(IN_POD, MOVED)]: '_x90 1x30' },
    labels: POD,
  },
  {
    alert: 'ErrataLedgerImbalance',
    fault: 'a lost envelope',
    series: { [MISSING]: '0x90 1x30' },
    labels: POD,
  },
  {
    alert: 'ErrataStoreFaults',
    fault: 'a store that fails',
    series: { [STORE_FAULTS]: '0x90 1+1x30' },
    labels: POD,
  },
  { alert: 'ErrataDeadLetters', fault: 'a dead letter', series: { [DEAD]: '0x40 1x80' }, labels: POD },
  {
    alert: 'ErrataVolumeWithoutPod',
    fault: 'a removed replica',
    series: { [claim('data-errata-2')]: '1x120' },
    labels: { namespace: 'n', phase: 'Bound', persistentvolumeclaim: 'data-errata-2' },
  },
];

/** Defects of alerts that promtool must find; the rule `alerts` has those of names and labels. */
export const FAULTS = faultsOf('PrometheusRule/errata', '/spec/groups/0/rules', [
  ['/0/expr', 'max by (namespace, pod) (up{container="errata"}) == 0'],
  ['/1/for', '30m'],
  ['/3/expr', 'max by (namespace, pod) (errata_spool_fill) > 0.95'],
  ['/3/for', '1m'],
  ['/4/expr', 'sum by (namespace, pod) (increase(errata_dropped_items{category="error"}[15m])) > 0'],
  ['/5/expr', 'sum by (namespace, pod) (increase(errata_spool_faults_total[15m])) > 0'],
  ['/7/expr', 'sum by (namespace, pod) (increase(errata_store_faults_total[10m]) > 0'],
  ['/8/annotations/summary', '{{ $labels.pod } holds dead letters'],
  ['/9/expr', 'kube_persistentvolumeclaim_status_phase{phase="Bound"} == 1'],
  ['/10', { alert: 'ErrataNew', expr: 'vector(0) > 1', for: '5m', labels: { severity: 'warning' } }],
]);

/** Series in promtool's notation: one value a minute, `_` where there is none. */
type Series = Readonly<Record<string, string>>;

const POD = { namespace: 'n', pod: 'errata-0' };
const IN_POD = 'namespace="n",pod="errata-0"';
/** The series of a pod that moved: it has a new address. */
const movedOf = (series: string): string => series.replace('}', ',instance="10.0.0.2:9464"}');

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
const EVICTING = `errata_store_evicting_early{${IN_POD}}`;
const DEAD = `errata_dead_letters{${IN_POD}}`;
const STRANDED = `errata_spool_stranded{${IN_POD}}`;
const REJECTING = `errata_intake_rejecting{${IN_POD},reason="disk_full"}`;
const ALWAYS_0 = [MISSING, PAUSED, DROPPED, SPOOL_FAULTS, STORE_FAULTS, EVICTING];
const claim = (name: string): string =>
  `kube_persistentvolumeclaim_status_phase{namespace="n",phase="Bound",persistentvolumeclaim="${name}"}`;
const volume = (persistentvolumeclaim: string) => ({ namespace: 'n', phase: 'Bound', persistentvolumeclaim });
const CLAIM_USED = `kube_pod_spec_volumes_persistentvolumeclaims_info{${IN_POD},persistentvolumeclaim="data-errata-0"}`;

/** Two hours of a pod that works, without a reason to alert: dropped replays, a refused error, a short queue. */
export const HEALTHY: Series = {
  [UP]: '1x120',
  [FILL]: '0.1x60 0.9x5 0.1x55',
  [OLDEST]: '0x60 1000x3 0x57',
  ...Object.fromEntries(ALWAYS_0.map((series) => [series, '0x120'])),
  [REFUSED]: '0x5 1x115',
  [REPLAYS]: '0+1x120',
  [DEAD]: '0x5 1x30 0x85',
  [STRANDED]: '0x5 1x30 0x85',
  [REJECTING]: '0x61 1 0x57',
  [claim('data-errata-0')]: '1x120',
  [claim('data-of-another')]: '1x120',
  [CLAIM_USED]: '1x120',
};

/** Differences from HEALTHY for which no alert may fire, either. */
export const QUIET: readonly Series[] = [
  {},
  // Prometheus has both series of a pod that moved for some scrapes.
  { [DROPPED]: '5x62 stale _x57', [movedOf(DROPPED)]: '_x60 5x60' },
];
/** Minutes at which no alert may fire while all is well: within and after short disturbances. */
export const QUIET_MINUTES = [35, 62, 64, 104];
/** Faults begin after 90 minutes and last; at this minute the alert of each must fire. */
export const FAULT_MINUTE = 104;

/** The alert that must fire, the series that differ from HEALTHY, and the alert's labels beside its severity. */
export const CASES: readonly (readonly [string, Series, Readonly<Record<string, string>>])[] = [
  ['ErrataDown', { [UP]: '1x90 0x30' }, POD],
  ['ErrataDown', { [UP]: '1x90 _x30', [FILL]: '0.1x90 _x30' }, {}], // no pod
  ['ErrataErrorWaits', { [OLDEST]: '0x90 1000x30' }, POD],
  ['ErrataDsnPaused', { [PAUSED]: '0x90 1x30' }, { namespace: 'n', sink: 'a' }],
  ['ErrataStranded', { [STRANDED]: '0x40 1x80' }, POD],
  ['ErrataIntakeRejecting', { [REJECTING]: '0x90 1x30' }, POD],
  ['ErrataSpoolFills', { [FILL]: '0.1x90 0.9x30' }, POD],
  ['ErrataErrorsDropped', { [DROPPED]: '0x90 1x30' }, POD], // the first drop
  ['ErrataErrorsDropped', { [DROPPED]: '0x85 _x35', [movedOf(DROPPED)]: '_x90 1x30' }, POD], // at the start of a moved pod
  ['ErrataSpoolFault', { [SPOOL_FAULTS]: '0x90 1x30' }, POD],
  ['ErrataSpoolFault', { [SPOOL_FAULTS]: '0x85 _x35', [movedOf(SPOOL_FAULTS)]: '_x90 1x30' }, POD],
  ['ErrataLedgerImbalance', { [MISSING]: '0x90 1x30' }, POD],
  ['ErrataStoreFaults', { [STORE_FAULTS]: '0x90 1+1x30' }, POD],
  ['ErrataStoreEvictsEarly', { [EVICTING]: '0x90 1x30' }, POD],
  ['ErrataDeadLetters', { [DEAD]: '0x40 1x80' }, POD],
  ['ErrataVolumeWithoutPod', { [claim('data-errata-2')]: '1x120' }, volume('data-errata-2')], // a removed replica
  ['ErrataVolumeWithoutPod', { [claim('data-shop-errata-b-2')]: '1x120' }, volume('data-shop-errata-b-2')], // with prefix and suffix
];

/** Changes of the alerts that promtool must find, `[from, to]`; the rule `alerts` has those of names and labels. */
export const FAULTS: readonly (readonly [string, string])[] = [
  [' or absent(errata_spool_fill)', ''],
  ['> 900\n          for: 5m', '> 900\n          for: 30m'],
  ['rejecting) > 0\n          for: 1m', 'rejecting) > 0\n          for: 0m'],
  ['> 0.7', '> 0.95'],
  ['> 0.7\n          for: 10m', '> 0.7\n          for: 1m'],
  ['(errata_dropped_items{category="error", reason!="send_error"})) >', '(errata_dropped_items)) >'],
  ['[1h:])', '[1m:])'],
  ['unless errata_spool_faults_total offset 15m', 'unless errata_spool_faults_total'],
  ['increase(errata_store_faults_total[10m]))', 'increase(errata_store_faults_total[10m])'],
  ['{{ $labels.pod }} holds', '{{ $labels.pod } holds'],
  ['unless on (namespace, persistentvolumeclaim)', 'unless on (namespace, pod)'],
  ['=~"data-.*errata.*-[0-9]+"', '=~"data-.+"'],
  ['=~"data-.*errata.*-[0-9]+"', '=~"data-errata-[0-9]+"'],
  ['alert: ErrataDown', 'alert: ErrataNew'],
];

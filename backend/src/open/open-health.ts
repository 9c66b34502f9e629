import { hostname } from 'node:os';
import type { AlertSender } from '../alerts/alert-sender.ts';
import { HealthWatch } from '../alerts/health-watch.ts';
import { publicUrlOf } from '../config/config.ts';
import { currentVerdict, type JudgedParts } from '../console/delivery/current-verdict.ts';
import { DroppedErrors, problemsOf } from '../console/delivery/problems.ts';
import { isIn } from '../contract/alert-filter.ts';
import type { ErrataOptions } from './options.ts';

/** Creates the watch that reports problems of this process to the targets that want it. */
export function openHealthWatch(
  { config, log }: Pick<ErrataOptions, 'config' | 'log'>,
  parts: JudgedParts,
  alerts: readonly AlertSender[],
  now?: () => number,
): HealthWatch {
  const channels = alerts.map(({ channel }) => channel).filter(({ filter }) => isIn(filter.on, 'health'));
  const dropped = new DroppedErrors();
  const publicUrl = publicUrlOf(config);
  return new HealthWatch(channels, {
    problems: async () => {
      const counts = await parts.spool.ask('recentCounts');
      const hasDropped = dropped.isRecent(counts.discards, performance.now());
      return problemsOf(currentVerdict(parts, counts), counts, hasDropped);
    },
    host: hostname(),
    link: publicUrl === null ? null : `${publicUrl}/console/delivery`,
    onError: (err) => log.error({ err }, 'health_unknown'),
    now,
  });
}

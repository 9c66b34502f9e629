import type { Experiment } from './experiment.ts';
import {
  ackBeforeCommit,
  deleteBeforeSend,
  normalSync,
  pageBeforeCommit,
  probeOldest,
  reserveAnnounced,
} from './experiments/broken-guards.ts';
import { outage } from './experiments/f01-outage.ts';
import { noAnswer } from './experiments/f02-no-answer.ts';
import { rateLimits } from './experiments/f03-rate-limits.ts';
import { refusals } from './experiments/f04-refusals.ts';
import { brokenWays } from './experiments/f05-broken-ways.ts';
import { kill } from './experiments/f06-kill.ts';
import { stop } from './experiments/f07-stop.ts';
import { fullDisk } from './experiments/f08-full-disk.ts';
import { damage } from './experiments/f10-damage.ts';
import { postgres } from './experiments/f11-postgres.ts';
import { slowloris } from './experiments/f12-slowloris.ts';
import { largeUploads } from './experiments/f13-large-uploads.ts';
import { threads } from './experiments/f14-threads.ts';
import { memory } from './experiments/f15-memory.ts';
import { clock } from './experiments/f16-clock.ts';
import { descriptors } from './experiments/f17-descriptors.ts';
import { powerLoss } from './experiments/f18-power-loss.ts';
import { poison } from './experiments/f20-poison.ts';
import { slowBodies } from './experiments/f21-slow-bodies.ts';
import { inflation } from './experiments/f22-inflation.ts';
import { costlyEvents } from './experiments/f23-costly-events.ts';
import { intermediary } from './experiments/f26-intermediary.ts';
import { restartBacklog } from './experiments/f27-restart-backlog.ts';
import { unreadLog } from './experiments/f28-unread-log.ts';
import { shown } from './experiments/f29-shown.ts';
import { backup } from './experiments/f30-backup.ts';

/** All experiments, in the order in which they run. */
export const EXPERIMENTS: readonly Experiment[] = [
  outage,
  noAnswer,
  rateLimits,
  refusals,
  brokenWays,
  kill,
  stop,
  fullDisk,
  damage,
  postgres,
  slowloris,
  largeUploads,
  threads,
  memory,
  clock,
  descriptors,
  powerLoss,
  poison,
  slowBodies,
  inflation,
  costlyEvents,
  intermediary,
  restartBacklog,
  unreadLog,
  shown,
  backup,
  normalSync,
  ackBeforeCommit,
  deleteBeforeSend,
  probeOldest,
  pageBeforeCommit,
  reserveAnnounced,
];

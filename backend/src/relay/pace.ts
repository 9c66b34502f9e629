/** So many envelopes waiting for their commit at once: they come faster than they can be committed. */
const BUSY_WAITING = 64;
/** Above this fill of the spool the sinks yield no more, or it would fill until errors are refused. */
const MAX_YIELDING_FILL = 0.25;

/** How the spool fares. */
interface SpoolLoad {
  /** Envelopes that wait for their commit now. */
  readonly waiting: number;
  /** Share of the cap that is used. */
  readonly fill: number;
}

/**
 * Whether the sinks should yield to intake: an envelope refused is lost, one delivered later is not.
 *
 * While many senders wait for the disk each lane has one batch under way, which leaves intake all but a few hundredths
 * of the event loop; the store's thread has a low priority of its own. That is for bursts: once the spool is a quarter
 * full, delivering is what keeps intake going.
 */
export function isIntakeBusy({ waiting, fill }: SpoolLoad): boolean {
  return waiting >= BUSY_WAITING && fill < MAX_YIELDING_FILL;
}

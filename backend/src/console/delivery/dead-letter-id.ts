/**
 * A dead letter's id: its number and its spool. Each spool numbers its dead letters itself, and several replicas may share
 * one address: with the number alone an operator could discard another dead letter than the one that was shown.
 */
const ID = /^(?<number>\d{1,15})-(?<spool>[\da-z]{1,10})$/;

/** @param spool identity of the spool. */
export function deadLetterId(number: number, spool: number): string {
  return `${number}-${spoolName(spool)}`;
}

/** Returns a short name of a spool for people. */
export function spoolName(spool: number): string {
  return spool.toString(36);
}

export function isDeadLetterId(text: unknown): text is string {
  return typeof text === 'string' && ID.test(text);
}

/** Returns the number of a dead letter in this spool; undefined for one of another spool. */
export function numberIn(spool: number, id: string): number | undefined {
  const { number, spool: named } = ID.exec(id)?.groups ?? {};
  return named === spoolName(spool) ? Number(number) : undefined;
}

/**
 * Dead letters are numbered by each spool for itself, and behind one address there may be several. So their ids name
 * the spool, too: else what was looked at in one could be sent or dropped in another.
 */
const ID = /^(?<number>\d{1,15})-(?<spool>[\da-z]{1,10})$/;

/** @param spool identity of the spool. */
export function deadLetterId(number: number, spool: number): string {
  return `${number}-${spoolName(spool)}`;
}

/** How people tell one spool from another. */
export function spoolName(spool: number): string {
  return spool.toString(36);
}

export function isDeadLetterId(text: unknown): text is string {
  return typeof text === 'string' && ID.test(text);
}

/** Its number in this spool; undefined where it is of another one. */
export function numberIn(spool: number, id: string): number | undefined {
  const { number, spool: named } = ID.exec(id)?.groups ?? {};
  return named === spoolName(spool) ? Number(number) : undefined;
}

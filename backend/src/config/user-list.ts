import type { z } from 'zod';
import { listOf, someText } from './value-types.ts';

/** Forms of an entry in a list of users, beside an email address. */
export const EVERY_USER = '*';
export const GROUP = 'group:';
export const SUBJECT = 'sub:';

/** Characters of an address without quotes (RFC 5322, dot-atom), and without `*`, which would look like a pattern. */
const EMAIL = /^[^\s@*"(),:;<>[\\\]]+@[^\s@*"(),:;<>[\\\]]+$/;

const EXPECTED = `expected email addresses, ${GROUP}<name>, ${SUBJECT}<id> or ${EVERY_USER}, and double quotes around a value with a comma`;

/**
 * Users of a role. Every value must have one of the four forms: the parts of a group with a comma (`cn=sre,ou=groups`)
 * would otherwise be values that match no user, and no one would see it before the sign-in fails.
 */
export const userList: z.ZodType<readonly string[], string> = listOf(someText).refine(
  (entries) => entries.every(isUsers),
  EXPECTED,
);

function isUsers(entry: string): boolean {
  const prefix = [GROUP, SUBJECT].find((each) => entry.startsWith(each));
  return prefix === undefined ? entry === EVERY_USER || EMAIL.test(entry) : entry.length > prefix.length;
}

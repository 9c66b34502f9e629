import type { Role } from '../../../contract/access-api.ts';

/** The provider's statements about a user. */
export type UserClaims = Readonly<Record<string, unknown>>;

/** Users of each role: email addresses, `group:<name>`, or `*`. */
export interface RoleLists {
  readonly operators: readonly string[];
  readonly support: readonly string[];
  /** Claim that lists the groups. */
  readonly groupsClaim: string;
}

const GROUP = 'group:';

/** Returns the highest role that the lists give to a user; undefined for a user in neither. */
export function roleOfClaims(
  claims: UserClaims,
  { operators, support, groupsClaim }: RoleLists,
): Role | undefined {
  const email = emailOf(claims);
  const groups = groupsOf(claims[groupsClaim]);
  const isOn = (list: readonly string[]): boolean =>
    list.some((entry) => {
      if (entry === '*') return true;
      if (entry.startsWith(GROUP)) return groups.includes(entry.slice(GROUP.length));
      return email !== null && entry.toLowerCase() === email;
    });
  if (isOn(operators)) return 'operator';
  return isOn(support) ? 'support' : undefined;
}

/**
 * Returns the name of a user for the audit log: the part that the provider vouches for. Users choose the other names
 * themselves and could choose another user's, so such a name never appears without the subject.
 */
export function nameOfClaims(claims: UserClaims): string {
  const email = emailOf(claims);
  if (email !== null) return email;
  const subject = nonEmptyText(claims['sub']) ?? '';
  const name = nonEmptyText(claims['preferred_username']) ?? nonEmptyText(claims['name']);
  return name === null ? subject : `${name} (${subject})`;
}

/** Returns the email address in lower case; null for an unverified one, which any user could have entered. */
function emailOf(claims: UserClaims): string | null {
  const isUnverified = claims['email_verified'] === false || claims['email_verified'] === 'false';
  return isUnverified ? null : (nonEmptyText(claims['email'])?.toLowerCase() ?? null);
}

/** Some providers send a single group as a string. */
function groupsOf(claim: unknown): readonly unknown[] {
  if (Array.isArray(claim)) return claim;
  return typeof claim === 'string' ? [claim] : [];
}

function nonEmptyText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

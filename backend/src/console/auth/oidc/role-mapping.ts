import type { Role } from '../../../contract/access-api.ts';

/** What a provider says of a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** Who may do what: emails, `group:<name>`, or `*`. */
export interface RoleLists {
  readonly operators: readonly string[];
  readonly support: readonly string[];
  /** Claim that lists the groups. */
  readonly groupsClaim: string;
}

const GROUP = 'group:';

/** The highest role that a list gives; undefined: on none. */
export function roleOfClaims(
  claims: Claims,
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
 * For the audit log: what the provider vouches for. A name that people choose themselves could be another's, so it
 * never stands alone.
 */
export function whoIs(claims: Claims): string {
  const email = emailOf(claims);
  if (email !== null) return email;
  const subject = textOf(claims['sub']) ?? '';
  const name = textOf(claims['preferred_username']) ?? textOf(claims['name']);
  return name === null ? subject : `${name} (${subject})`;
}

/** In lower case; null where the provider says that nobody has checked it: anybody could have typed it there. */
function emailOf(claims: Claims): string | null {
  const isUnverified = claims['email_verified'] === false || claims['email_verified'] === 'false';
  return isUnverified ? null : (textOf(claims['email'])?.toLowerCase() ?? null);
}

/** Some providers give one group as a text. */
function groupsOf(claim: unknown): readonly unknown[] {
  if (Array.isArray(claim)) return claim;
  return typeof claim === 'string' ? [claim] : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

import { EVERY_USER, GROUP, SUBJECT } from '../../../config/user-list.ts';
import type { Role } from '../../../contract/access-api.ts';
import { asciiLowerCase, type ClaimSources, emailStateOf, groupsOf, textOf } from './user-claims.ts';

/** Users of each role, in the forms of OIDC_OPERATORS. */
export interface RoleLists {
  readonly operators: readonly string[];
  readonly support: readonly string[];
  /** Claim that lists the groups, or the path to it. */
  readonly groupsClaim: string;
  /** Whether an email address counts that the provider marks neither as verified nor as not verified. */
  readonly acceptsUnmarkedEmail: boolean;
}

/** Why a user has no role, for the log: without it an administrator cannot see what the provider sent. */
export interface RoleRefusal {
  readonly reason: 'email_not_verified' | 'no_email_verified' | 'no_groups_claim' | 'not_listed';
  /** The setting that would accept the user's address. */
  readonly setting?: 'OIDC_ACCEPT_UNVERIFIED_EMAIL';
  readonly groupsClaim: string;
  readonly groups: readonly string[];
  /** Names of the claims that arrived, without their values. */
  readonly claims: readonly string[];
}

/** Groups and names of claims in a log line; a user of a large directory has hundreds. */
const MAX_LOGGED = 50;

/** Returns the highest role that the lists give to a user; undefined for a user in neither. */
export function roleOfClaims(sources: ClaimSources, lists: RoleLists): Role | undefined {
  const email = emailOf(sources, lists);
  const groups = groupsOf(sources, lists.groupsClaim) ?? [];
  const subject = textOf(sources, 'sub');
  const isOn = (list: readonly string[]): boolean =>
    list.some((entry) => {
      if (entry === EVERY_USER) return true;
      if (entry.startsWith(GROUP)) return groups.includes(entry.slice(GROUP.length));
      if (entry.startsWith(SUBJECT)) return subject === entry.slice(SUBJECT.length);
      return email !== null && asciiLowerCase(entry) === email;
    });
  if (isOn(lists.operators)) return 'operator';
  return isOn(lists.support) ? 'support' : undefined;
}

/** Returns the address by which a user may have a role or a name. */
function emailOf(sources: ClaimSources, { acceptsUnmarkedEmail }: RoleLists): string | null {
  const found = emailStateOf(sources);
  const counts = found.state === 'verified' || (found.state === 'unmarked' && acceptsUnmarkedEmail);
  return counts ? found.email : null;
}

/** Returns why {@link roleOfClaims} gave no role. */
export function refusalOf(sources: ClaimSources, lists: RoleLists): RoleRefusal {
  const { groupsClaim } = lists;
  const groups = groupsOf(sources, groupsClaim);
  return {
    ...reasonOf(sources, lists),
    groupsClaim,
    groups: (groups ?? []).slice(0, MAX_LOGGED),
    claims: [...new Set(sources.flatMap(Object.keys))].slice(0, MAX_LOGGED),
  };
}

function reasonOf(sources: ClaimSources, lists: RoleLists): Pick<RoleRefusal, 'reason' | 'setting'> {
  const entries = [...lists.operators, ...lists.support];
  const state = hasEmails(entries) ? emailStateOf(sources).state : 'none';
  if (state === 'not_verified') return { reason: 'email_not_verified' };
  if (state === 'unmarked' && !lists.acceptsUnmarkedEmail)
    return { reason: 'no_email_verified', setting: 'OIDC_ACCEPT_UNVERIFIED_EMAIL' };
  const needsGroups = hasGroups(entries);
  const hasClaim = groupsOf(sources, lists.groupsClaim) !== undefined;
  return { reason: needsGroups && !hasClaim ? 'no_groups_claim' : 'not_listed' };
}

/** Whether a list names groups, so that their claim must be read. */
export function hasGroups(list: readonly string[]): boolean {
  return list.some((entry) => entry.startsWith(GROUP));
}

function hasEmails(list: readonly string[]): boolean {
  return list.some((entry) => entry !== EVERY_USER && !entry.startsWith(GROUP) && !entry.startsWith(SUBJECT));
}

/**
 * Returns the name of a user for the audit log: the part that the provider vouches for. Users choose the other names
 * themselves and could choose another user's, so such a name never appears without the subject.
 */
export function nameOfClaims(sources: ClaimSources, lists: RoleLists): string {
  const email = emailOf(sources, lists);
  if (email !== null) return email;
  const subject = textOf(sources, 'sub') ?? '';
  const name = textOf(sources, 'preferred_username') ?? textOf(sources, 'name');
  return name === null ? subject : `${name} (${subject})`;
}

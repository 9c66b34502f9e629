/** The provider's statements about a user, from one source. */
export type UserClaims = Readonly<Record<string, unknown>>;

/**
 * The sources of a user's claims: the ID token, then the response of the userinfo endpoint if it was requested. Each fact
 * comes from the first source that has it.
 */
export type ClaimSources = readonly UserClaims[];

/**
 * Returns a claim; undefined for none and for null. A claim of exactly this name comes first, because providers write
 * URLs with dots as names; otherwise the name is a path (`realm_access.roles`), whose members may have dots, too.
 */
export function claimAt(claims: UserClaims, name: string): unknown {
  const flat = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (flat !== undefined && flat !== null) return flat;
  for (const { index } of name.matchAll(/\./g)) {
    const outer = name.slice(0, index);
    const inner = Object.hasOwn(claims, outer) ? claims[outer] : undefined;
    const found = isObject(inner) ? claimAt(inner, name.slice(index + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A user's email address, with ASCII letters in lower case, and what the provider states about it. */
export type EmailState =
  | { readonly state: 'verified' | 'not_verified' | 'unmarked'; readonly email: string }
  | { readonly state: 'none' };

/**
 * Returns the email address of the first source that has both the address and the mark `email_verified`. An address
 * without a verification could be entered by any user.
 *
 * The mark counts for the address of its own source only. A mark of another source can doubt an unmarked address and never
 * verify it: it may be about another address.
 */
export function emailStateOf(sources: ClaimSources): EmailState {
  const withEmail = sources.filter((claims) => nonEmptyText(claims['email']) !== null);
  const marked = withEmail.find(hasMark);
  const source = marked ?? withEmail[0];
  if (source === undefined) return { state: 'none' };
  const email = asciiLowerCase(nonEmptyText(source['email']) ?? '');
  if (marked !== undefined) return { state: isVerified(marked) ? 'verified' : 'not_verified', email };
  const isDoubted = sources.some((claims) => hasMark(claims) && !isVerified(claims));
  return { state: isDoubted ? 'not_verified' : 'unmarked', email };
}

/** Returns the names of the groups; undefined without the claim. */
export function groupsOf(sources: ClaimSources, claim: string): readonly string[] | undefined {
  const found = sources.map((claims) => claimAt(claims, claim)).find((value) => value !== undefined);
  return found === undefined ? undefined : groupsIn(found);
}

/** Returns a claim's text from the first source that has one; null for none. */
export function textOf(sources: ClaimSources, name: string): string | null {
  return sources.map((claims) => nonEmptyText(claims[name])).find((text) => text !== null) ?? null;
}

/** Lower case of Unicode would make an ASCII letter of some others: the Kelvin sign becomes k. */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function hasMark(claims: UserClaims): boolean {
  return Object.hasOwn(claims, 'email_verified');
}

/** Amazon Cognito sends the mark as a text. Any other value, null included, verifies nothing. */
function isVerified({ email_verified: mark }: UserClaims): boolean {
  return mark === true || mark === 'true';
}

/**
 * Returns the groups of a claim: a list, a single one as a text, or the members of an object, as Zitadel sends roles
 * (`{"sre": {"<organisation>": "example.org"}}`). A member that is false, null or empty is not granted.
 */
function groupsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(groupsIn);
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (!isObject(value)) return [];
  return Object.entries(value)
    .filter(([, granted]) => granted === true || (isObject(granted) && Object.keys(granted).length > 0))
    .map(([name]) => name);
}

function nonEmptyText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isObject(value: unknown): value is UserClaims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Name, numbers, prerelease and build of a version: `shop@4.3.0-rc.1+77`. */
const VERSION = /^(.*@)?v?(\d+(?:\.\d+)*)(-(?:[a-z]+[.-]?)?(?:\d+(?:[.-]\d+)*)?)?(\+.*)?$/is;

/**
 * Returns whether the name of a release says that it is earlier than another: their numbers, where they differ in nothing
 * else, or their order as semantic versions. Undefined where only the times can say it at which both were first seen.
 *
 * A version is never earlier than a name with which it cannot be compared: a stranger can guess it, and send it before it
 * exists. No stranger guesses a commit.
 *
 * @see https://semver.org/spec/v2.0.0.html#spec-item-11
 */
export function isEarlierByName(release: string, other: string): boolean | undefined {
  if (withoutNumbers(release) === withoutNumbers(other)) return byNumbers(release, other) < 0;
  const version = VERSION.exec(release);
  if (version === null) return undefined;
  const [, name, numbers = '', prerelease, build = ''] = version;
  const [, otherName, otherNumbers, otherPrerelease] = VERSION.exec(other) ?? [];
  if (otherNumbers === undefined || name !== otherName) return false;
  const order = byNumbers(numbers, otherNumbers) || byPrereleases(prerelease, otherPrerelease);
  return order === 0 && /[a-z]/i.test(build) ? undefined : order < 0;
}

/** A version without a prerelease is the later one. */
function byPrereleases(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined)
    return Number(one === undefined) - Number(other === undefined);
  const [word = '', otherWord = ''] = [one, other].map((text) => text.replace(/[\d.-]+/g, '').toLowerCase());
  if (word !== otherWord) return word < otherWord ? -1 : 1;
  return byNumbers(one, other);
}

/** Compares the numbers in two texts, the first one first; a missing number is 0. */
function byNumbers(one: string, other: string): number {
  const [numbers = [], others = []] = [one, other].map((text) => text.match(/\d+/g) ?? []);
  const longest = numbers.length < others.length ? others : numbers;
  return longest.map((_, place) => byDigits(numbers[place], others[place])).find((order) => order !== 0) ?? 0;
}

/** Compares whole numbers by their digits: a date with a time, or an id, is beyond the integers of a double (2^53). */
function byDigits(one = '', other = ''): number {
  const [digits = '', others = ''] = [one, other].map((text) => text.replace(/^0+/, ''));
  if (digits.length !== others.length) return digits.length - others.length;
  return Number(digits > others) - Number(digits < others);
}

function withoutNumbers(release: string): string {
  return release.replace(/\d+/g, '#');
}

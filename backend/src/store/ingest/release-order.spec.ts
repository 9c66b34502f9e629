import { isEarlierByName } from './release-order.ts';

describe('isEarlierByName', () => {
  it.each([
    ['shop@4.3.0', 'shop@4.4.0'],
    ['shop@4.9.0', 'shop@4.10.0'],
    ['shop@4.3', 'shop@4.3.1'],
    ['v4.3.0', '4.4'],
    ['shop@4.4.0-rc.1', 'shop@4.4.0'],
    ['shop@4.3.0', 'shop@4.4.0-rc.1'],
    ['shop@4.4.0-rc.2', 'shop@4.4.0-rc.10'],
    ['shop@4.4.0-rc2', 'shop@4.4.0-rc10'],
    ['shop@4.4.0-beta', 'shop@4.4.0-beta.2'],
    ['shop@4.4.0-beta.3', 'shop@4.4.0-rc.1'],
    ['shop@4.4.0-0', 'shop@4.4.0'],
    ['shop@4.3.0+a1b2c3d', 'shop@4.4.0+0d1e2f3'],
    ['shop@4.3.0+99', 'shop@4.3.0+100'],
    ['@scope/shop@4.3.0', '@scope/shop@4.4.0'],
    ['build-99', 'build-100'],
    ['2026-11-29', '2026-12-01'],
    ['1.0.9007199254740992', '1.0.9007199254740993'],
    ['shop@1.0.0-rc.20261129093015123456', 'shop@1.0.0-rc.20261129093015123457'],
    ['build-09007199254740992', 'build-9007199254740993'],
    [`1.${'8'.repeat(400)}`, `1.${'9'.repeat(400)}`],
  ])('reads the order of versions: %s is earlier than %s', (earlier, later) => {
    expect(isEarlierByName(earlier, later)).toBe(true);
    expect(isEarlierByName(later, earlier)).toBe(false);
  });

  it.each([
    ['the same', 'shop@4.3.0', 'shop@4.3.0'],
    ['the same version', 'shop@4.3', 'shop@4.3.0'],
    ['another build of a version', 'shop@4.3.0', 'shop@4.3.0+77'],
    ['another package', 'shop@4.3.0', 'api@4.4.0'],
    ['a commit', 'shop@4.3.0', 'shop@a1b2c3d'],
    ['the same numbers with zeros in front', '1.09.0', '1.9'],
  ])('has no version earlier than %s', (_name, release, other) => {
    expect(isEarlierByName(release, other)).toBe(false);
  });

  it.each([
    ['two commits', 'a1b2c3d', '9f8e7d6'],
    ['two commits of a package', 'shop@a1b2c3d', 'shop@9f8e7d6'],
    ['a commit and a version', 'shop@a1b2c3d', 'shop@4.3.0'],
    ['a commit behind a version', 'v4.3.0-12-ga1b2c3d', 'v4.3.0'],
    ['builds of two commits', 'shop@4.3.0+a1b2c3d', 'shop@4.3.0+9f8e7d6'],
    ['two words', 'blue', 'green'],
  ])('cannot read the order of %s', (_name, release, other) => {
    expect(isEarlierByName(release, other)).toBeUndefined();
  });
});

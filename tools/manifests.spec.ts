import { imageEntry } from './manifests.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('imageEntry', () => {
  it('replaces the placeholder by an image with its digest', () => {
    expect(imageEntry(`ghcr.io:443/owner/errata@${DIGEST}`)).toEqual({
      name: 'registry.example/errata',
      newName: 'ghcr.io:443/owner/errata',
      digest: DIGEST,
    });
  });

  it.each(['', 'ghcr.io/owner/errata:1.2.3', `@${DIGEST}`, `errata@${DIGEST}0`, 'errata@sha256:12'])(
    'refuses %j, which has no name or no digest',
    (image) => {
      expect(() => imageEntry(image)).toThrow(`IMAGE: expected name@sha256:digest, got "${image}"`);
    },
  );
});

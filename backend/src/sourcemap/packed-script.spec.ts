import { contentId, packScript, unpackScript } from './packed-script.ts';

const SCRIPT = { map: '{"version":3,"sources":["größe.ts"]}', code: 'a("größe");' };

describe('packScript', () => {
  it.each([
    ['a script and its map', SCRIPT],
    ['a map whose script is gone', { ...SCRIPT, code: null }],
    ['an empty script', { ...SCRIPT, code: '' }],
  ])('returns %s unchanged', async (_name, script) => {
    expect(await unpackScript(await packScript(script))).toEqual(script);
  });

  it('takes a fraction of the space', async () => {
    const script = { map: SCRIPT.map.repeat(1_000), code: SCRIPT.code.repeat(1_000) };

    expect((await packScript(script)).byteLength).toBeLessThan(1_000);
  });
});

describe('unpackScript', () => {
  it('returns undefined for damaged bytes and for an unknown format', async () => {
    const packed = await packScript(SCRIPT);

    expect(await unpackScript(packed.subarray(0, packed.byteLength / 2))).toBeUndefined();
    expect(await unpackScript(Uint8Array.of(9, ...packed.subarray(1)))).toBeUndefined();
    expect(await unpackScript(new Uint8Array())).toBeUndefined();
  });
});

describe('contentId', () => {
  it('is the same for the same content, and has the length of a debug id', () => {
    expect(contentId(SCRIPT)).toBe(contentId({ ...SCRIPT }));
    expect(contentId(SCRIPT)).toMatch(/^[\da-f]{32}$/);
  });

  it.each([
    ['map', { map: `${SCRIPT.map} `, code: SCRIPT.code }],
    ['script', { ...SCRIPT, code: 'b();' }],
    ['border between the two', { map: SCRIPT.map + SCRIPT.code, code: '' }],
  ])('differs for a different %s', (_part, script) => {
    expect(contentId(script)).not.toBe(contentId(SCRIPT));
  });
});

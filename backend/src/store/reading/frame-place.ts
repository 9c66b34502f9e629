import { type Fields, scalarText } from '../../digest/fields.ts';

const FOLDERS = /^.*[\\/]/s;

/**
 * Returns the place of a frame as people read it: its file, else its module (Unity, Java without debug information), else
 * the binary with the address, by which symbols are looked up. Null where the frame has none of them.
 */
export function shownPlace(frame: Fields): string | null {
  const { filename, abs_path: path, module, package: binary, instruction_addr: address } = frame;
  const named = [filename, path, module].find((place) => typeof place === 'string' && place !== '');
  if (typeof named === 'string') return named;
  const parts = [typeof binary === 'string' ? binary.replace(FOLDERS, '') : '', addressText(address)];
  return parts.filter((part) => part !== '').join(' ') || null;
}

/** SDKs send addresses as hexadecimal texts, some as numbers. */
function addressText(address: unknown): string {
  const digits = scalarText(address) ?? '';
  return typeof address !== 'string' && /^\d+$/.test(digits) ? `0x${BigInt(digits).toString(16)}` : digits;
}

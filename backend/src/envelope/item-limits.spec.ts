import { findOversized, findTooMany } from './item-limits.ts';
import type { Item } from './items.ts';

function item(type: string, bytes: number): Item {
  const offsets = { headerStart: 0, payloadStart: 10, payloadEnd: 10 + bytes, end: 11 + bytes };
  return { type, ...offsets, itemCount: null, attachmentType: null };
}

describe('findOversized', () => {
  it.each([
    ['client_report', 4 * 1024],
    ['check_in', 100 * 1024],
    ['event', 4 * 2 ** 20],
    ['transaction', 2 ** 20],
    ['replay_recording', 10 * 2 ** 20],
    ['profile', 50 * 2 ** 20],
  ])('H5: takes a %s of %i bytes and no more', (type, bytes) => {
    expect(findOversized([item(type, bytes)])).toBeUndefined();
    expect(findOversized([item(type, bytes + 1)])).toBe(`${type} is over ${bytes} bytes`);
  });

  it('H5: adds client reports up', () => {
    expect(findOversized([item('client_report', 2_048), item('client_report', 2_048)])).toBeUndefined();
    expect(findOversized([item('client_report', 2_048), item('client_report', 2_049)])).toBe(
      'client_report items together are over 4096 bytes',
    );
  });

  it.each(['attachment', 'from_the_future', '__proto__'])(
    'leaves %s to the limit of the envelope',
    (type) => {
      expect(findOversized([item(type, 2 ** 30)])).toBeUndefined();
    },
  );
});

describe('findTooMany', () => {
  it.each([
    [{ events: 10, reports: 100 }, undefined],
    [{ events: 11, reports: 0 }, 'more than 10 events in one envelope'],
    [{ events: 0, reports: 101 }, 'more than 100 browser reports in one request'],
  ])('H5: says of %j %s', (count, text) => {
    expect(findTooMany(count)).toBe(text);
  });
});

import { shownPlace } from './frame-place.ts';

describe('shownPlace', () => {
  it.each([
    [{ filename: 'a.py', abs_path: '/srv/a.py', module: 'a' }, 'a.py'],
    [{ filename: '', abs_path: '/srv/a.py', module: 'a' }, '/srv/a.py'],
    [{ filename: null, module: 'Shop.Basket', package: 'Assembly-CSharp' }, 'Shop.Basket'],
    [{ package: '/usr/lib/libshop.so', instruction_addr: '0x55d2' }, 'libshop.so 0x55d2'],
    [{ package: 'C:\\shop\\shop.dll', instruction_addr: 255 }, 'shop.dll 0xff'],
    [{ instruction_addr: JSON.rawJSON('18446744073709551615') }, '0xffffffffffffffff'],
    [{ package: 'libshop.so' }, 'libshop.so'],
    [{ instruction_addr: '0x55d2' }, '0x55d2'],
    [{ function: 'f', filename: 7 }, null],
  ])('of %j is %j', (frame, place) => {
    expect(shownPlace(frame)).toBe(place);
  });
});

import { costOf, MAX_COST } from '../time/growth.fixture.ts';
import { engineMessage } from './engine-message.ts';
import { functionName } from './own-frames.ts';
import { ownPath } from './file-path.ts';
import { readBack } from './read-back.ts';
import { routeTemplate } from './route-template.ts';
import { skeletonOf } from './skeleton.ts';
import { v8Frames } from './v8-stack.ts';

const SIZE = 2 ** 16;
const PLAIN = 'https://shop.example/assets/a-ab12CD34.js:12:34 reads "items" of order 4711, status 401, ';
const STACK = '\n    at Cart.total (https://shop.example/assets/a-ab12CD34.js:12:34)';

const filled = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

/** Gives a rule 64 KiB in parts of the longest text that it reads. */
function readAll(read: (text: string) => unknown, maxLength: number, unit: string): void {
  const part = filled(unit, maxLength);
  for (let done = 0; done < SIZE; done += maxLength) read(part);
}

describe('64 KiB of hostile text', () => {
  it.each<[string, (text: string) => unknown, number, string, readonly string[]]>([
    ['skeletonOf', skeletonOf, 4_000, PLAIN, ["'", '" ', ', ', '@a.1']],
    ['engineMessage', (text) => engineMessage('TypeError', text), 500, PLAIN, ['<', '‘', ':1', ' is ']],
    ['ownPath', (text) => ownPath(text, '/srv/app'), 4_096, PLAIN, ['\\', 'a/', '-', '-a']],
    ['routeTemplate', routeTemplate, 2_048, PLAIN, ['a/', './', 'a']],
    ['functionName', functionName, 512, PLAIN, [' [as a]', '.<a>', '<', 'a.']],
    ['v8Frames', (text) => [...v8Frames(text, '')], SIZE, STACK, ['\n    at a (b:1:1)', 'at ', ' (a:', ':1']],
    ['readBack', readBack, 20_000, PLAIN, ['7KQ4 ', 'digest: a', '-', 'reference/']],
  ])('takes %s a small multiple of the time of plain text', (_name, read, maxLength, plain, hostile) => {
    const costs = hostile.map((unit) =>
      costOf(
        () => readAll(read, maxLength, unit),
        () => readAll(read, maxLength, plain),
      ),
    );

    expect(Math.max(...costs)).toBeLessThan(MAX_COST);
  });
});

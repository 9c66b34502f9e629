import { v8Frames } from './v8-stack.ts';

const framesOf = (message: string, ...lines: readonly string[]) => [
  ...v8Frames(`Error: ${message}\n${lines.map((line) => `    at ${line}`).join('\n')}`, message),
];

describe('v8Frames', () => {
  it.each([
    ['load (/srv/dist/a.js:1:2)', 'load', '/srv/dist/a.js'],
    ['async Shop.load (file:///srv/dist/a.js:1:2)', 'async Shop.load', 'file:///srv/dist/a.js'],
    ['new Shop (C:\\srv\\dist\\a.js:1:2)', 'new Shop', 'C:\\srv\\dist\\a.js'],
    ['file:///srv/dist/a.js:1:2', null, 'file:///srv/dist/a.js'],
    ['async file:///srv/dist/a.js:1:2', null, 'file:///srv/dist/a.js'],
    ['/srv/b 3 (x)/a.js:1:2', null, '/srv/b 3 (x)/a.js'],
    ['load (/srv/b 3 (x)/a.js:1:2)', 'load', '/srv/b 3 (x)/a.js'],
    ['It.x (y (/srv/a.js:1:2)', 'It.x (y', '/srv/a.js'],
    ['Object.outer [as alias] (/srv/a.js:1:2)', 'Object.outer [as alias]', '/srv/a.js'],
    ['Array.map (<anonymous>)', 'Array.map', '<anonymous>'],
    ['async Promise.all (index 0)', 'async Promise.all', '<anonymous>'],
    ['ev (eval at run (file:///srv/a.js:1:2), <anonymous>:1:24)', 'ev', '<anonymous>'],
    ['run (src/a.ts:1:2)', 'run', 'src/a.ts'],
  ])('reads %s', (line, name, file) => {
    expect(framesOf('x', line)).toEqual([{ function: name, file }]);
  });

  it('is not fooled by a message whose lines look like frames', () => {
    const message = 'bad input\n    at admin (/srv/dist/evil.js:1:1)\n    at (native)';

    expect(framesOf(message, 'load (/srv/dist/a.js:1:2)').map(({ file }) => file)).toEqual([
      '/srv/dist/a.js',
    ]);
  });

  it('does not take prose after "at" for a frame when the message was changed later', () => {
    const stack = 'Error: old message\n    at some point\n    at load (/srv/dist/a.js:1:2)';

    expect([...v8Frames(stack, 'new message')].map(({ file }) => file)).toEqual(['/srv/dist/a.js']);
  });

  it('stops where the frames end: a cause that was appended is not the place', () => {
    const stack = 'Error: x\n    at a (/srv/a.js:1:2)\ncaused by: Error: y\n    at b (/srv/b.js:1:2)';

    expect([...v8Frames(stack, 'x')].map(({ file }) => file)).toEqual(['/srv/a.js']);
  });

  it('reads nothing out of a stack without frames', () => {
    expect([...v8Frames('Error: x', 'x')]).toEqual([]);
    expect([...v8Frames('', '')]).toEqual([]);
  });
});

import { heapFlags } from '../docker/node-flags.ts';

const MACHINE = 8 * 2 ** 30;
const LIMIT = 256 * 2 ** 20;
const FLAG = '--max-old-space-size-percentage=60';

describe('heapFlags', () => {
  it.each([
    ['sizes the heap by the limit of the container', LIMIT, '', [FLAG]],
    ["keeps it beside the operator's other options", LIMIT, '--use-openssl-ca --inspect', [FLAG]],
    ["leaves it to the operator's size", LIMIT, '--max-old-space-size=180', []],
    ["leaves it to the operator's share", LIMIT, '--max-old-space-size-percentage=75', []],
    ['keeps the default without a known limit', 0, '', []],
    ['keeps the default without a limit, which cgroups 1 report as a huge one', 2 ** 63, '', []],
  ])('%s', (_case, limitBytes, nodeOptions, flags) => {
    expect(heapFlags(limitBytes, MACHINE, nodeOptions)).toEqual(flags);
  });
});

import { OpenedParts, CLOSING_MS } from './opened-parts.ts';
import { createLog } from './telemetry/log.ts';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Deadline } from './time/deadline.ts';
import { ManualTime } from './time/manual-time.fixture.ts';

describe('OpenedParts', () => {
  it('closes the last part first, and the others although parts fail or do not end', async () => {
    const output = new PassThrough();
    const opened = new OpenedParts(createLog('info', output));
    const time = new ManualTime();
    const closed: string[] = [];
    opened.add('spool', ({ leftMs }) => closed.push(`spool with ${leftMs} ms`));
    opened.add('store', () => Promise.reject(new Error('planted')));
    opened.add('upstreams', () => {
      throw new Error('planted, too');
    });
    opened.add('relay', () => new Promise(() => {}));
    opened.add('jobs', ({ leftMs }) => closed.push(`jobs with ${leftMs} ms`));

    const done = opened.close(new Deadline(10_000, time));
    await time.moveUntil(() => closed.length === 2);
    await done;

    expect(closed).toEqual(['jobs with 10000 ms', 'spool with 0 ms']);
    // The part that hangs has left time to the first one.
    expect(time.nowMs()).toBe(10_000 + CLOSING_MS / 2);
    const lines = (await text(output.end())).trim().split('\n');
    const logged = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(logged.map(({ msg, part, err }) => [msg, part, (err as Error | undefined)?.message])).toEqual([
      ['part_not_closed_in_time', 'relay', undefined],
      ['part_not_closed', 'upstreams', 'planted, too'],
      ['part_not_closed', 'store', 'planted'],
    ]);
  });

  it('closes each part once', async () => {
    const opened = new OpenedParts(createLog('info', new PassThrough()));
    let closed = 0;
    opened.add('spool', () => void (closed += 1));

    await opened.close(new Deadline(0));
    await opened.close(new Deadline(0));

    expect(closed).toBe(1);
  });
});

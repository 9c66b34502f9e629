import { ManualTime } from '../time/manual-time.fixture.ts';
import { GroupCommit } from './group-commit.ts';

/** Returns whether a promise resolves within two turns of the event loop: without a timer. */
async function isDueSoon(due: Promise<void>): Promise<boolean> {
  let isDue = false;
  void due.then(() => (isDue = true));
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  return isDue;
}

describe('GroupCommit', () => {
  let time: ManualTime;
  let groupCommit: GroupCommit;

  beforeEach(() => {
    time = new ManualTime();
    groupCommit = new GroupCommit(time);
  });

  it('lets a single client commit at once', async () => {
    groupCommit.ended(1);

    expect(await isDueSoon(groupCommit.begin({ appends: 1, writes: 0 }))).toBe(true);
  });

  it('waits for the other clients when many were committed together', async () => {
    groupCommit.ended(32);

    const due = groupCommit.begin({ appends: 2, writes: 0 });

    expect(await isDueSoon(due)).toBe(false);
    groupCommit.added({ appends: 32, writes: 0 });
    expect(await isDueSoon(due)).toBe(true);
  });

  it('does not wait long for clients that do not send', async () => {
    groupCommit.ended(32);

    const due = groupCommit.begin({ appends: 2, writes: 0 });

    expect(await time.toNextTimer()).toBe(2);
    expect(await isDueSoon(due)).toBe(true);
  });

  it('makes settlements wait for the next append', async () => {
    const due = groupCommit.begin({ appends: 0, writes: 1 });

    expect(await isDueSoon(due)).toBe(false);
    groupCommit.added({ appends: 1, writes: 1 });
    expect(await isDueSoon(due)).toBe(true);
  });

  it('commits settlements alone when they are many, or no append follows', async () => {
    const many = groupCommit.begin({ appends: 0, writes: 1 });
    groupCommit.added({ appends: 0, writes: 16 });

    expect(await isDueSoon(many)).toBe(true);
    const few = groupCommit.begin({ appends: 0, writes: 1 });
    expect(await time.toNextTimer()).toBe(10);
    expect(await isDueSoon(few)).toBe(true);
  });

  it('waits for a group of clients that send while settlements wait', async () => {
    groupCommit.ended(32);
    const due = groupCommit.begin({ appends: 0, writes: 1 });

    groupCommit.added({ appends: 1, writes: 1 });

    expect(await isDueSoon(due)).toBe(false);
    groupCommit.added({ appends: 32, writes: 1 });
    expect(await isDueSoon(due)).toBe(true);
  });
});

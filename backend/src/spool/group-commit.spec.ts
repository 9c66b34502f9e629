import { GroupCommit } from './group-commit.ts';

/** Whether a promise has resolved after the event loop has turned twice. */
async function isDueSoon(due: Promise<void>): Promise<boolean> {
  let isDue = false;
  void due.then(() => (isDue = true));
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  return isDue;
}

describe('GroupCommit', () => {
  it('lets a lone sender commit at once', async () => {
    const groupCommit = new GroupCommit();
    groupCommit.ended(1);

    expect(await isDueSoon(groupCommit.begin({ appends: 1, writes: 0 }))).toBe(true);
  });

  it('waits for the others where many were committed together', async () => {
    const groupCommit = new GroupCommit();
    groupCommit.ended(32);

    const due = groupCommit.begin({ appends: 2, writes: 0 });

    expect(await isDueSoon(due)).toBe(false);
    groupCommit.added({ appends: 32, writes: 0 });
    expect(await isDueSoon(due)).toBe(true);
  });

  it('does not wait long for others that do not come', async () => {
    const groupCommit = new GroupCommit();
    groupCommit.ended(32);

    await expect(groupCommit.begin({ appends: 2, writes: 0 })).resolves.toBeUndefined();
  });

  it('lets settlements wait for an envelope to go with', async () => {
    const groupCommit = new GroupCommit();

    const due = groupCommit.begin({ appends: 0, writes: 1 });

    expect(await isDueSoon(due)).toBe(false);
    groupCommit.added({ appends: 1, writes: 1 });
    expect(await isDueSoon(due)).toBe(true);
  });

  it('commits settlements alone when they are many, or none comes', async () => {
    const groupCommit = new GroupCommit();
    const many = groupCommit.begin({ appends: 0, writes: 1 });
    groupCommit.added({ appends: 0, writes: 16 });

    expect(await isDueSoon(many)).toBe(true);
    await expect(groupCommit.begin({ appends: 0, writes: 1 })).resolves.toBeUndefined();
  });

  it('gathers senders that come while settlements wait', async () => {
    const groupCommit = new GroupCommit();
    groupCommit.ended(32);
    const due = groupCommit.begin({ appends: 0, writes: 1 });

    groupCommit.added({ appends: 1, writes: 1 });

    expect(await isDueSoon(due)).toBe(false);
    groupCommit.added({ appends: 32, writes: 1 });
    expect(await isDueSoon(due)).toBe(true);
  });
});

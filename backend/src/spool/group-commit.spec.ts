import { GroupCommit } from './group-commit.ts';

/** Returns whether a promise resolves within two turns of the event loop. */
async function isDueSoon(due: Promise<void>): Promise<boolean> {
  let isDue = false;
  void due.then(() => (isDue = true));
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  return isDue;
}

describe('GroupCommit', () => {
  it('lets a single client commit at once', async () => {
    const groupCommit = new GroupCommit();
    groupCommit.ended(1);

    expect(await isDueSoon(groupCommit.begin({ appends: 1, writes: 0 }))).toBe(true);
  });

  it('waits for the other clients when many were committed together', async () => {
    const groupCommit = new GroupCommit();
    groupCommit.ended(32);

    const due = groupCommit.begin({ appends: 2, writes: 0 });

    expect(await isDueSoon(due)).toBe(false);
    groupCommit.added({ appends: 32, writes: 0 });
    expect(await isDueSoon(due)).toBe(true);
  });

  it('does not wait long for clients that do not send', async () => {
    const groupCommit = new GroupCommit();
    groupCommit.ended(32);

    await expect(groupCommit.begin({ appends: 2, writes: 0 })).resolves.toBeUndefined();
  });

  it('makes settlements wait for the next append', async () => {
    const groupCommit = new GroupCommit();

    const due = groupCommit.begin({ appends: 0, writes: 1 });

    expect(await isDueSoon(due)).toBe(false);
    groupCommit.added({ appends: 1, writes: 1 });
    expect(await isDueSoon(due)).toBe(true);
  });

  it('commits settlements alone when they are many, or no append follows', async () => {
    const groupCommit = new GroupCommit();
    const many = groupCommit.begin({ appends: 0, writes: 1 });
    groupCommit.added({ appends: 0, writes: 16 });

    expect(await isDueSoon(many)).toBe(true);
    await expect(groupCommit.begin({ appends: 0, writes: 1 })).resolves.toBeUndefined();
  });

  it('waits for a group of clients that send while settlements wait', async () => {
    const groupCommit = new GroupCommit();
    groupCommit.ended(32);
    const due = groupCommit.begin({ appends: 0, writes: 1 });

    groupCommit.added({ appends: 1, writes: 1 });

    expect(await isDueSoon(due)).toBe(false);
    groupCommit.added({ appends: 32, writes: 1 });
    expect(await isDueSoon(due)).toBe(true);
  });
});

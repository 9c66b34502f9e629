import { Gathering } from './gathering.ts';

/** Whether a promise has resolved after the event loop has turned twice. */
async function isDueSoon(due: Promise<void>): Promise<boolean> {
  let isDue = false;
  void due.then(() => (isDue = true));
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  return isDue;
}

describe('Gathering', () => {
  it('lets a lone sender commit at once', async () => {
    const gathering = new Gathering();
    gathering.ended(1);

    expect(await isDueSoon(gathering.begin(1))).toBe(true);
  });

  it('waits for the others where many were committed together', async () => {
    const gathering = new Gathering();
    gathering.ended(32);

    const due = gathering.begin(2);

    expect(await isDueSoon(due)).toBe(false);
    gathering.came(32);
    expect(await isDueSoon(due)).toBe(true);
  });

  it('does not wait long for others that do not come', async () => {
    const gathering = new Gathering();
    gathering.ended(32);

    await expect(gathering.begin(2)).resolves.toBeUndefined();
  });
});

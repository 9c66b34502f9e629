import { MAX_NETWORKS, ViolationSenders } from './violation-senders.ts';

const reported = (key: string, network: string | null) => ({ digest: { key, shown: key }, network });
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('ViolationSenders', () => {
  it('has those of most networks first, then the newest, and counts each network once', () => {
    const senders = new ViolationSenders();
    for (const number of numbers(MAX_NETWORKS + 1)) senders.count(reported('many', `198.51.${number}.0`));
    for (const network of ['a', 'b', 'b']) senders.count(reported('two', network));
    for (const key of ['old', 'new']) senders.count(reported(key, 'a'));
    senders.count(reported('unknown', null));

    expect([...senders.mostFirst()]).toEqual([
      ['many', MAX_NETWORKS],
      ['two', 2],
      ['new', 1],
      ['old', 1],
    ]);
  });

  it('has those of one network in turn, so that a flood hides none of another', () => {
    const senders = new ViolationSenders();
    senders.count(reported('real', 'user'));
    for (const number of numbers(3)) senders.count(reported(`forged ${number}`, 'flood'));

    expect([...senders.mostFirst().keys()]).toEqual(['forged 2', 'real', 'forged 1', 'forged 0']);
  });

  it('keeps 50 of one network alone, and those of others', () => {
    const senders = new ViolationSenders();
    senders.count(reported('real', 'user'));
    for (const number of numbers(600)) senders.count(reported(`forged ${number}`, 'flood'));

    const kept = [...senders.mostFirst().keys()];

    expect([kept.length, kept.includes('real'), kept.at(-1)]).toEqual([51, true, 'forged 550']);
  });

  it('forgets the one of fewest networks when there are too many', () => {
    const senders = new ViolationSenders();
    for (const network of ['a', 'b']) senders.count(reported('real', network));
    for (const number of numbers(600)) senders.count(reported(`forged ${number}`, `flood ${number}`));

    const kept = [...senders.mostFirst().keys()];

    expect([kept.length, kept[0], kept.at(-1)]).toEqual([500, 'real', 'forged 101']);
  });
});

import { Reporter, type Report } from './reporter.ts';

it('names an event before anything can be sent', () => {
  const reporter = new Reporter();

  expect(reporter.capture(new Error('early'), { source: 'onerror' })).toMatch(/^[0-9a-f]{32}$/);
});

it('sends what waited, with the time it happened, as soon as it can', () => {
  const sent: Report[] = [];
  const reporter = new Reporter(() => 1_000);
  const error = new Error('early');
  const eventId = reporter.capture(error, { source: 'onerror' });

  reporter.connect((report) => sent.push(report));

  expect(sent).toEqual([
    {
      eventId,
      error,
      context: { source: 'onerror' },
      at: 1_000,
      serverDigest: null,
      serverReference: null,
    },
  ]);
});

it('sends later errors at once', () => {
  const sent: Report[] = [];
  const reporter = new Reporter();
  reporter.connect((report) => sent.push(report));

  const eventId = reporter.capture('a string', { source: 'onunhandledrejection' });

  expect(sent.map((report) => report.eventId)).toEqual([eventId]);
});

it('reports an error once, under one id, however often it is met on its way up', () => {
  const sent: Report[] = [];
  const reporter = new Reporter();
  const error = new Error('twice');

  const first = reporter.capture(error, { source: 'query' });
  const second = reporter.capture(error, { source: 'boundary' });
  reporter.connect((report) => sent.push(report));

  expect(second).toBe(first);
  expect(sent).toHaveLength(1);
});

it('keeps a loop of errors from filling the memory', () => {
  const sent: Report[] = [];
  const reporter = new Reporter();
  for (let round = 0; round < 100; round += 1) reporter.capture(new Error('again'), { source: 'onerror' });

  reporter.connect((report) => sent.push(report));

  expect(sent).toHaveLength(32);
});

it('tells of each report that has to wait, and of none that need not', () => {
  const told: Report[] = [];
  const reporter = new Reporter();
  reporter.restart((report) => told.push(report));

  const eventId = reporter.capture('early', { source: 'onerror' });
  reporter.connect(() => undefined);
  reporter.capture('late', { source: 'onerror' });

  expect(told.map((report) => report.eventId)).toEqual([eventId]);
});

it('waits again after a restart, and tells of each report that waits already', () => {
  const sent: Report[] = [];
  const told: Report[] = [];
  const reporter = new Reporter();
  reporter.connect(() => undefined);
  reporter.restart();
  const early = reporter.capture('early', { source: 'onerror' });

  reporter.restart((report) => told.push(report));
  reporter.connect((report) => sent.push(report));

  expect(told.map(({ eventId }) => eventId)).toEqual([early]);
  expect(sent).toEqual(told);
});

it('reports a value that is no object once while no other error comes between: the SDK drops the second one', () => {
  const sent: Report[] = [];
  const reporter = new Reporter();
  reporter.connect((report) => sent.push(report));

  const [first, second, other, third] = ['a', 'a', 'b', 'a'].map((error) =>
    reporter.capture(error, { source: 'boundary' }),
  );

  expect(second).toBe(first);
  expect(sent.map(({ eventId }) => eventId)).toEqual([first, other, third]);
});

it('sends while an SDK is loaded or awaited only', () => {
  const reporter = new Reporter();
  const states = [
    () => undefined,
    () => reporter.restart(() => undefined),
    () => reporter.restart(),
    () => reporter.connect(() => undefined),
    () => reporter.restart(),
  ].map((step) => {
    step();
    return reporter.isSending;
  });

  expect(states).toEqual([false, true, false, true, false]);
});

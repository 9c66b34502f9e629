import { FlowControl, type FlowSink } from './flow-control.ts';

/** A sink that starts batches of so many envelopes while it may. */
interface TestSink extends FlowSink {
  readonly starts: number[];
}

describe('FlowControl', () => {
  let nowMs: number;
  let usedMs: number;
  let spool: { waiting: number; fill: number; activity: number };
  let turns: (() => void)[];
  let timers: { readonly delayMs: number; readonly onDue: () => void }[];
  let flow: FlowControl;

  beforeEach(() => {
    nowMs = 0;
    usedMs = 0;
    spool = { waiting: 0, fill: 0, activity: 0 };
    turns = [];
    timers = [];
    flow = flowOf(1);
  });

  function flowOf(cores: number): FlowControl {
    const time = {
      nowMs: () => nowMs,
      wallMs: () => nowMs,
      startTimer: (delayMs: number, onDue: () => void) => {
        timers.push({ delayMs, onDue });
        return () => {};
      },
      nextTurn: (onTurn: () => void) => void turns.push(onTurn),
    };
    return new FlowControl(spool, time, { cores, usedMs: () => usedMs });
  }

  /** @param left batches that wait for it. */
  function sinkOf(name: string, left: number, order: string[] = [], batch = 1, isLocal = false): TestSink {
    const starts: number[] = [];
    const sink = {
      isLocal,
      starts,
      pump: () => {
        let count = 0;
        for (; starts.length < left && flow.mayStart(sink); count += 1) {
          starts.push(batch);
          flow.started(sink, batch);
        }
        if (count > 0) order.push(`${name} ${count}`);
      },
    };
    return sink;
  }

  /** Ends a turn of the event loop. */
  function turn(): void {
    for (const onTurn of turns.splice(0)) onTurn();
  }

  /** Ends a commit after so much time, of which so much was processor time. */
  function commit(sink: FlowSink, waiting: number, passedMs: number, used: number, accepted = 1): void {
    nowMs += passedMs;
    usedMs += used * passedMs;
    spool.waiting = waiting;
    flow.committed(sink, accepted);
  }

  it('starts eight batches in each turn of the event loop in which no client sent, after a whole one', () => {
    const sink = sinkOf('one', 20);
    sink.pump();

    const counts = Array.from({ length: 5 }, () => {
      turn();
      return sink.starts.length;
    });

    expect(counts).toEqual([0, 8, 16, 20, 20]);
    expect(turns).toEqual([]);
  });

  it('waits while clients send or are answered', () => {
    const sink = sinkOf('one', 20);
    sink.pump();

    const counts = Array.from({ length: 5 }, (_, at) => {
      if (at < 3) spool.activity += 1;
      turn();
      return sink.starts.length;
    });

    expect(counts).toEqual([0, 0, 0, 8, 16]);
  });

  it('begins with another sink in each turn', () => {
    const order: string[] = [];
    const sinks = ['one', 'two', 'three'].map((name) => sinkOf(name, 10, order));
    for (const sink of sinks) sink.pump();

    for (let at = 0; at < 5; at += 1) turn();

    expect(order).toEqual(['one 8', 'two 8', 'three 8', 'one 2', 'two 2', 'three 2']);
  });

  it('gives a sink its turn in the next one when another has used all starts', () => {
    const sinks = [sinkOf('one', 8), sinkOf('two', 10)];
    for (const sink of sinks) sink.pump();

    for (let at = 0; at < 4; at += 1) turn();

    expect(sinks.map(({ starts }) => starts.length)).toEqual([8, 10]);
  });

  it('gives each sink its turn though another one throws', () => {
    const faulty = {
      isLocal: false,
      pump: () => {
        throw new Error('bug');
      },
    };
    flow.mayStart(faulty);
    const sink = sinkOf('two', 12);
    sink.pump();
    turn();

    expect(turn).toThrow('sinks threw');
    expect(turn).toThrow('sinks threw');
    expect(sink.starts).toHaveLength(12);
  });

  it.each([
    ['one at least, for a project that sends nothing', [0, 0], 0, 2],
    ['a thirty-second of what was accepted', [64, 64], 0.5, 4],
    ['a third of what was accepted at six tenths', [9], 0.6, 3],
    ['as much as was accepted at seven tenths of the cap', [10], 0.7, 10],
    ['all that it can hold at nine tenths', [1], 0.9, 256],
    ['one for a project that sends nothing at nine tenths', [0], 0.9, 1],
  ])('gives a sink credit at each commit: %s', (_, commits, fill, credit) => {
    const sink = sinkOf('one', 1_000);
    spool.fill = fill;

    for (const accepted of commits) flow.committed(sink, accepted);
    sink.pump();

    expect(sink.starts).toHaveLength(credit);
  });

  it('takes from the credit one for each envelope of a batch, which may go below zero', () => {
    const store = sinkOf('store', 10, [], 100, true);
    spool.fill = 0.7;
    const counts = [1, 60, 60, 1].map((accepted) => {
      flow.committed(store, accepted);
      store.pump();
      return store.starts.length;
    });

    expect(counts).toEqual([1, 1, 2, 2]);
  });

  it.each([
    ['while 25 clients or more are in each commit and the cores are full', 25, 0.9, 0],
    ['unless a commit has fewer clients', 24, 1, 8],
    ['unless more than a tenth of the cores is free', 128, 0.89, 8],
  ])('gives an upstream no idle turn %s', (_, waiting, used, starts) => {
    const sink = sinkOf('one', 20);
    commit(sink, waiting, 100, used);
    flow.started(sink, 1);

    sink.pump();
    turn();
    turn();

    expect(sink.starts).toHaveLength(starts);
  });

  it('counts only the clients of commits with envelopes: others end between two of them', () => {
    const counts = [1, 0].map((accepted) => {
      flow = flowOf(1);
      turns = [];
      const sink = sinkOf('one', 20);
      commit(sink, 32, 50, 1);
      commit(sink, 4, 40, 1, accepted);
      commit(sink, 32, 10, 1);
      flow.started(sink, 3);
      sink.pump();
      turn();
      turn();
      return sink.starts.length;
    });

    expect(counts).toEqual([8, 0]);
  });

  it.each([
    ['no idle turns as long as three fifths of the cores are used', 25, 100, 0.6, 0],
    ['idle turns again once they are not', 25, 100, 0.59, 8],
    ['idle turns again once the line is short', 24, 100, 1, 8],
    ['idle turns again when no commit has ended for a second', 128, 0, 0, 8],
  ])('gives an upstream after a line for full cores %s', (_, waiting, passedMs, used, starts) => {
    const sink = sinkOf('one', 20);
    commit(sink, 128, 100, 1);
    commit(sink, waiting, passedMs, used);
    flow.started(sink, 2);
    if (passedMs === 0) nowMs += 1_000;

    sink.pump();
    turn();
    turn();

    expect(sink.starts).toHaveLength(starts);
  });

  it('calls a sink without credit on full cores when no commit has ended for a second', () => {
    const rounds = ['one', 'two'].map((name) => {
      const sink = sinkOf(name, 10);
      for (let at = 0; at < 2; at += 1) commit(sink, 128, 100, 1);
      sink.pump();
      sink.pump();
      const delays = timers.map(({ delayMs }) => delayMs);
      const before = sink.starts.length;
      nowMs += 1_000;
      for (const { onDue } of timers.splice(0)) onDue();
      turn();
      turn();
      return [delays, before, sink.starts.length];
    });

    expect(rounds).toEqual([
      [[1_000], 2, 10],
      [[1_000], 2, 10],
    ]);
  });

  it.each([
    ['not while few clients wait and a core is free', 2, 24, 1, 0, 0],
    ['longer the more clients wait', 2, 96, 1, 0, 12],
    ['not while as many cores are free', 4, 96, 0, 0, 0],
    ['nine times as long as its batch took at most', 1, 1_000, 0.8, 0, 36],
    ['nine times while clients stand in line for full cores', 1, 25, 0.95, 0, 36],
    ['less as the spool fills up', 1, 1_000, 0.95, 0.7, 4],
    ['not from nine tenths of the cap on', 1, 1_000, 0.95, 0.9, 0],
  ])('lets the store rest %s', (_, cores, waiting, used, fill, restMs) => {
    flow = flowOf(cores);
    const store = sinkOf('store', 0, [], 1, true);
    spool.fill = fill;
    commit(store, waiting, 1_000, used);
    flow.ended(store, 4);

    expect(flow.restMs(store)).toBeCloseTo(restMs);
  });

  it('adds to the free cores the time in which a batch of the store was out', () => {
    const store = sinkOf('store', 0, [], 1, true);
    flow.ended(store, 500);
    commit(store, 24, 1_000, 0.8);
    flow.ended(store, 7);

    expect(flow.restMs(store)).toBeCloseTo(3);
  });

  it('asks again after 50 ms at most, and lets no upstream rest', () => {
    const [store, upstream] = [sinkOf('store', 0, [], 1, true), sinkOf('one', 0)];
    commit(store, 128, 1_000, 1);
    flow.ended(store, 1_000);
    flow.ended(upstream, 1_000);

    expect([flow.restMs(store), flow.restMs(upstream)]).toEqual([50, 0]);
  });

  it.each([
    ['stands still', 0],
    ['goes back', -10],
  ])('sees free cores where their time %s, and at least one core', (_, used) => {
    flow = flowOf(0);
    const store = sinkOf('store', 0, [], 1, true);
    commit(store, 48, 1_000, used);
    flow.ended(store, 4);

    expect(flow.restMs(store)).toBeCloseTo(4);
  });
});

import type { EventStore } from '../../store/event-store.ts';
import { createLog } from '../../telemetry/log.ts';
import { Audit } from './audit.ts';

const ANN = { who: 'ann', role: 'support', session: null } as const;

/** Writes entries down, or is away. */
class FakeStore {
  readonly targets: unknown[] = [];
  isAway = false;

  ask(_: string, { target }: { readonly target: unknown }): Promise<void> {
    if (this.isAway) return Promise.reject(new Error('away'));
    this.targets.push(target);
    return Promise.resolve();
  }
}

it('writes a look-up down that could not be written down a moment ago', async () => {
  const store = new FakeStore();
  const audit = new Audit(store as unknown as EventStore, createLog('silent'), () => 0);

  store.isAway = true;
  audit.lookedUp(ANN, { action: 'find', target: 'ann@example.org' });
  await new Promise(setImmediate);
  store.isAway = false;
  audit.lookedUp(ANN, { action: 'find', target: 'ann@example.org' });
  audit.lookedUp(ANN, { action: 'find', target: 'ann@example.org' });

  expect(store.targets).toEqual(['ann@example.org']);
});

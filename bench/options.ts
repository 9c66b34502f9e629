import { type PayloadName, PAYLOAD_NAMES } from './payloads.ts';

/** The parts of the benchmark: see docs/benchmarks.md. */
type Mode = LoadMode | 'digest' | 'find';
/** Those that load a server. */
export type LoadMode = 'intake' | 'e2e' | 'closed' | 'latency' | 'depth' | 'gateway';

const MODES: readonly Mode[] = ['intake', 'e2e', 'closed', 'latency', 'depth', 'gateway', 'digest', 'find'];
const DATABASES = ['sqlite', 'postgres'] as const;
/** After two seconds Errata took in 8,300 errors a second, after eight 11,600: its code was compiled in part only. */
const WARM_UP_SECONDS = 6;

/** What the environment selects; the defaults print every figure that has a target. */
export interface Options {
  readonly modes: readonly Mode[];
  /** Null: each mode's own choice. */
  readonly payloads: readonly PayloadName[] | null;
  /** Ids of servers; null: all. */
  readonly only: readonly string[] | null;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Of the intake; the other modes use the last of them. */
  readonly connections: readonly number[];
  /** How long the backlog has to stay flat. */
  readonly sustainedSeconds: number;
  /** One step of the search for the highest rate at which it does. */
  readonly trialSeconds: number;
  /** Requests a second at which that search begins; it is found in fewer steps from nearby. */
  readonly startRate: number;
  /** A rate to measure at, without a search; null: it is looked for. */
  readonly rate: number | null;
  /** Envelopes in the spool for the depth mode. */
  readonly depth: number;
  /** What the find mode fills and asks. */
  readonly databases: readonly (typeof DATABASES)[number][];
  readonly events: number;
  readonly issues: number;
  /** All connection counts and all payloads. */
  readonly isFull: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

function whole(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number above zero`);
  return value;
}

function listOf<T extends string>(name: string, text: string, known: readonly T[]): readonly T[] {
  return text.split(',').map((word) => {
    const found = known.find((each) => each === word);
    if (found === undefined) throw new Error(`${name} knows ${known.join(', ')}; not ${word}`);
    return found;
  });
}

/** @throws when a value is not allowed. */
export function readOptions(environment: Environment, serverIds: readonly string[]): Options {
  const read = (name: string): string | undefined => environment[name] || undefined;
  const number = (name: string, fallback: number): number => whole(name, read(name) ?? String(fallback));
  const choice = <T extends string>(name: string, known: readonly T[]): readonly T[] | null => {
    const text = read(name);
    return text === undefined ? null : listOf(name, text, known);
  };
  const isFull = read('FULL') === '1';
  const connections = read('CONNECTIONS') ?? (isFull ? '1,8,32,128' : '32,128');
  const seconds = number('SECONDS_PER_ROUND', isFull ? 5 : 3);
  return {
    modes: choice('MODE', MODES) ?? MODES,
    payloads: choice('PAYLOAD', PAYLOAD_NAMES),
    only: choice('ONLY', serverIds),
    rounds: number('ROUNDS', 3),
    seconds,
    // This warms the parts that the load needs: compiled code (which takes longest, on the server's own core), a grown
    // file, pages of memory.
    warmUpSeconds: number('WARM_UP_SECONDS', WARM_UP_SECONDS),
    connections: connections.split(',').map((text) => whole('CONNECTIONS', text)),
    sustainedSeconds: number('SUSTAINED_SECONDS', 30),
    trialSeconds: number('TRIAL_SECONDS', 8),
    startRate: number('START_RATE', 1_000),
    rate: read('RATE') === undefined ? null : number('RATE', 1),
    depth: number('DEPTH', 100_000),
    databases: choice('DATABASE', DATABASES) ?? DATABASES,
    events: number('EVENTS', 1_000_000),
    issues: number('ISSUES', 20_000),
    isFull,
  };
}

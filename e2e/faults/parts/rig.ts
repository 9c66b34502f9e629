import { ErrataProcess, type ProcessOptions } from '../../fixtures/errata-process.ts';
import type { Trial } from '../experiment.ts';
import { type Extras, type Kind, type Made, makeEnvelope } from './envelopes.ts';
import { type LoadOptions, Loader } from './loader.ts';
import { type Answered, keptConnections, postUntilCommitted } from './post.ts';
import { ScriptedUpstream } from './scripted-upstream.ts';

/** Short pauses between attempts, so that a short form does not wait for the pauses of a real outage. */
const QUICK = { ERRATA_BACKOFF_MIN: '20ms', ERRATA_BACKOFF_MAX: '200ms' };

export interface RigOptions extends Omit<ProcessOptions, 'dataDir'> {
  /** Data directory; by default one in the experiment's folder. */
  readonly dataDir?: string;
  /** The upstream; a new one by default, null for none. */
  readonly upstream?: ScriptedUpstream | null;
  /** The setting SENTRY_DSN; by default the DSN of the upstream. */
  readonly dsn?: string;
  /** Number of projects of the upstream; project 1 is that of SENTRY_DSN. */
  readonly projects?: number;
  /** Whether Errata is started immediately (the default). */
  readonly isStarted?: boolean;
}

/** An envelope that was answered 200, and so must not be lost. */
export interface Obligation extends Pick<Made, 'id' | 'kind' | 'itemsHash'> {
  /** Time of the 200, by the monotonic clock of the bench. */
  readonly atMs: number;
}

/** Errata, an upstream and the obligations; all of them end with the experiment. */
export class Rig {
  readonly errata: ErrataProcess;
  readonly upstream: ScriptedUpstream;
  /** By their ID. */
  readonly obligations = new Map<string, Obligation>();
  /** DSN of the envelopes that are sent. */
  dsn: string;

  private constructor(errata: ErrataProcess, upstream: ScriptedUpstream, dsn: string) {
    this.errata = errata;
    this.upstream = upstream;
    this.dsn = dsn;
  }

  static async start(trial: Trial, options: RigOptions = {}): Promise<Rig> {
    const { scratch } = trial;
    const hasUpstream = options.upstream !== null;
    const upstream = options.upstream ?? new ScriptedUpstream();
    if (upstream.port === 0) await upstream.up();
    scratch.later(() => upstream.down());
    const dsn = options.dsn ?? upstream.dsn();
    const others = Array.from({ length: (options.projects ?? 1) - 1 }, (_, index) => upstream.dsn(index + 2));
    const environment = {
      ...(hasUpstream ? { SENTRY_DSN: dsn } : {}),
      ...(others.length > 0 ? { ERRATA_TUNNEL_DSNS: others.join(',') } : {}),
      ...QUICK,
      ...options.environment,
    };
    const dataDir = options.dataDir ?? scratch.folder(`data-${upstream.port}`);
    const errata = new ErrataProcess({ ...options, environment, dataDir });
    scratch.later(() => errata.kill());
    trial.findings.watch(errata.records);
    const rig = new Rig(errata, upstream, dsn);
    if (options.isStarted === false) return rig;
    await errata.start();
    if (!hasUpstream) rig.dsn = await errata.ownDsn();
    return rig;
  }

  /** Records a 200. */
  readonly acknowledge = ({ id, kind, itemsHash }: Made): void => {
    this.obligations.set(id, { id, kind, itemsHash, atMs: performance.now() });
  };

  load(options: LoadOptions, dsn = this.dsn): Loader {
    return new Loader({ url: this.errata.url, dsn, acknowledge: this.acknowledge }, options);
  }

  /** Sends one envelope; a 200 is an obligation. */
  async send(
    kind: Kind = 'error',
    dsn = this.dsn,
    extras: Extras = {},
  ): Promise<{ readonly made: Made; readonly answer: Answered }> {
    const made = makeEnvelope(dsn, kind, extras);
    const agent = keptConnections();
    const answer = await postUntilCommitted(this.errata.url, made.bytes, agent);
    agent.destroy();
    if (answer.status === 200) this.acknowledge(made);
    return { made, answer };
  }

  /** Whether the upstream has accepted the envelope. */
  hasArrived({ id }: Pick<Made, 'id'>): boolean {
    return this.upstream.seen.some((seen) => seen.id === id && seen.wasTaken);
  }
}

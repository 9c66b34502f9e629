import type { LoadResult } from './load.ts';
import type { LoadMode } from './options.ts';
import type { PageName, PayloadName } from './payloads.ts';
import type { Memory } from './proc.ts';
import type { ServerKind } from './servers.ts';
import type { Usage } from './usage.ts';

/** Under what a figure was measured; one table each. */
export interface Setting {
  readonly mode: LoadMode;
  readonly payload: PayloadName | PageName;
  readonly connections: number;
  /** Envelopes in the spool when it began; null where that is not the question. */
  readonly depth: number | null;
  /** Other load meanwhile. */
  readonly beside?: string;
}

/** Result of one round of one server. */
export interface Sample {
  /** What the mode counts, per second: answers, or settled envelopes. */
  readonly perSecond: number;
  /** Envelopes that reached the upstream per second; null where the mode does not count them apart. */
  readonly deliveredPerSecond: number | null;
  readonly load: LoadResult;
  readonly usage: Usage;
  readonly memory: Memory;
  /** What else there is to say of it, above all what became of the envelopes. */
  readonly note: string | null;
  /** False when envelopes are missing, or a backlog that had to stay flat grew. */
  readonly isSound: boolean;
}

/** All rounds of one server under one setting, in order. */
export interface Series {
  readonly setting: Setting;
  readonly kind: ServerKind;
  readonly samples: readonly Sample[];
}

function isSame(one: Setting, other: Setting): boolean {
  return (
    one.mode === other.mode &&
    one.payload === other.payload &&
    one.connections === other.connections &&
    one.depth === other.depth &&
    one.beside === other.beside
  );
}

/** All figures of a run, in the order in which they came. */
export class Results {
  readonly #all: { readonly setting: Setting; readonly kind: ServerKind; readonly samples: Sample[] }[] = [];

  add(setting: Setting, kind: ServerKind, sample: Sample): void {
    const known = this.#all.find((one) => one.kind.id === kind.id && isSame(one.setting, setting));
    if (known === undefined) this.#all.push({ setting, kind, samples: [sample] });
    else known.samples.push(sample);
  }

  get all(): readonly Series[] {
    return this.#all;
  }

  /** The settings with figures. */
  get settings(): readonly Setting[] {
    return this.#all
      .map(({ setting }) => setting)
      .filter((setting, index, all) => all.findIndex((other) => isSame(other, setting)) === index);
  }

  /** The series of all servers under one setting. */
  under(setting: Setting): readonly Series[] {
    return this.#all.filter((series) => isSame(series.setting, setting));
  }
}

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Experiment } from './experiment.ts';

const FOLDER = join(import.meta.dirname, 'experiments');
const NUMBER = /\d+/;

/**
 * Reads the experiments, in the order of their files. With an id it reads one file only: an experiment in a process of its
 * own does not load the others.
 */
export async function readExperiments(id?: string): Promise<readonly Experiment[]> {
  const number = id === undefined ? '' : `f${NUMBER.exec(id)?.[0].padStart(2, '0')}-`;
  const files = readdirSync(FOLDER).filter((name) => name.startsWith(number));
  const lists = await Promise.all(
    files
      .toSorted()
      .map((name) => import(join(FOLDER, name)) as Promise<{ experiments: readonly Experiment[] }>),
  );
  const all = lists.flatMap(({ experiments }) => experiments);
  return id === undefined ? all : all.filter((each) => each.id === id);
}

import { DEMO_SERVER_ERROR_PATH } from '../../../backend/src/contract/routes.ts';
import type { Experiment, Trial } from '../experiment.ts';
import { judge } from '../parts/judge.ts';
import { droppedLogLines } from '../parts/ledger.ts';
import { type Answered, get, keptConnections } from '../parts/post.ts';
import { percentile } from '../parts/percentile.ts';
import { Rig } from '../parts/rig.ts';
import { mustCome, since } from '../parts/waiting.ts';

/** Error pages while standard output is not read, and the least number of lines that are dropped then. */
const PAGES = { gate: 80, short: 2_000, long: 10_000 } as const;
const DROPPED = { gate: 0, short: 1, long: 1 } as const;
/** A header that the log of requests contains, so that 2,000 pages fill the 8 MiB of the buffer and more. */
const LONG_HEADER = { 'x-filler': 'x'.repeat(14 * 1024) };

/** Their lines fill a pipe (64 KiB) and the buffers behind it. */
const PAGES_AGAIN = 40;
const PAGE_SENDERS = 8;
const ENVELOPE_SENDERS = 2;
const LIVEZ_LIMIT_MS = 100;
const SLOWEST = 99;

/** Standard output as in a container: a pipe; a child process of Node has a socket instead. */
const THROUGH_PIPE = ['bash', '-c', 'exec "$0" "$@" > >(exec cat)'];

export const experiments: readonly Experiment[] = [
  { id: 'F28', fault: 'standard output is not read, then closed, under error pages', run: failUnread },
];

async function failUnread(trial: Trial): Promise<void> {
  const { findings, scale } = trial;
  const rig = await Rig.start(trial, { launcher: THROUGH_PIPE, environment: { LOG_LEVEL: 'debug' } });
  const { errata } = rig;

  errata.readOutput(false);
  await pagesUnderLoad(trial, rig, 'unread', PAGES[scale]);
  const dropped = await droppedLogLines(errata);
  findings.atLeast('dropped lines', dropped, DROPPED[scale]);
  errata.readOutput(true);
  const reported = (): number =>
    errata.records
      .filter(({ msg }) => msg === 'log_lines_dropped')
      .reduce((sum, { lines }) => sum + Number(lines), 0);
  await mustCome('the line about dropped ones', () => reported() >= DROPPED[scale]);
  findings.equal('reported in a line', reported(), dropped);

  errata.readOutput(false);
  await pagesUnderLoad(trial, rig, 'unread again', PAGES_AGAIN);
  await stop(trial, rig, 'unread');

  await errata.start();
  errata.closeOutput();
  await pagesUnderLoad(trial, rig, 'closed', PAGES_AGAIN);
  await judge(rig, findings, { mayHold: true });
  await stop(trial, rig, 'closed');
}

/** Requests error pages as fast as they come, beside probes and envelopes. */
async function pagesUnderLoad({ findings }: Trial, rig: Rig, output: string, pages: number): Promise<void> {
  const { errata } = rig;
  const url = `${errata.url}${DEMO_SERVER_ERROR_PATH}`;
  await findings.timed(
    LIVEZ_LIMIT_MS,
    async (times) => {
      const agent = keptConnections();
      const load = rig.load({ senders: ENVELOPE_SENDERS, kinds: ['error'], perSecond: 20 });
      const probes: Answered[] = [];
      let left = pages;
      let others = 0;
      const request = async (): Promise<void> => {
        for (; left > 0; left -= 1) {
          const { status } = await get(url, agent, LONG_HEADER);
          if (status !== 500) others += 1;
        }
      };
      const over = new AbortController();
      const probe = async (): Promise<void> => {
        do {
          const answer = await get(`${errata.managementUrl}/livez`, agent);
          if (answer.status !== 200) others += 1;
          probes.push(answer);
        } while (!over.signal.aborted);
      };
      const probing = probe();
      await Promise.all(Array.from({ length: PAGE_SENDERS }, request));
      over.abort();
      await probing;
      await load.untilCount(200, 1);
      await load.stop();
      agent.destroy();
      findings.equal(`${output}: other answers than 500 and of /livez than 200`, others, 0);
      findings.equal(`${output}: answers of /tunnel other than 200`, load.countOthers(200), 0);
      times.atMost(`${output}: p99 of /livez`, percentile(probes, SLOWEST), LIVEZ_LIMIT_MS, ' ms');
    },
    SLOWEST,
  );
}

async function stop({ findings }: Trial, { errata }: Rig, output: string): Promise<void> {
  const startedAtMs = performance.now();
  const code = errata.signal('SIGTERM');
  await mustCome(`the end with standard output ${output}`, () => errata.hasEnded);
  findings.equal(`${output}: exit code`, String(await code), '0');
  findings.add(true, `ended after ${since(startedAtMs).toFixed(0)} ms`);
}

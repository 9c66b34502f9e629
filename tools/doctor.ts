import { accessSync, constants, mkdirSync } from 'node:fs';
import { readConfig } from '../backend/src/config/config.ts';
import { pageSettings, post, url } from './running.ts';

/** Looks at the settings and at the running Errata, and says in one line each what is wrong and what to do. */

const LEAST_NODE = [24, 9] as const;

async function check(name: string, advice: string, look: () => Promise<boolean> | boolean): Promise<boolean> {
  try {
    if (await look()) {
      process.stdout.write(`ok    ${name}\n`);
      return true;
    }
    process.stdout.write(`FAIL  ${name}: ${advice}\n`);
  } catch (error) {
    process.stdout.write(
      `FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}; ${advice}\n`,
    );
  }
  return false;
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const config = () => readConfig(process.env);
const results = [
  await check(
    `Node ${process.version}`,
    `use ${LEAST_NODE.join('.')} or newer`,
    () => major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]),
  ),
  await check('the settings', 'see docs/configuration.md', () => config() !== undefined),
  await check('the data directory can be written', 'mend its owner, or set ERRATA_DATA_DIR', () => {
    mkdirSync(config().dataDir, { recursive: true });
    accessSync(config().dataDir, constants.W_OK);
    return true;
  }),
  await check(`the application answers at ${url}`, 'run make start, or set ERRATA_URL', async () => {
    return (await fetch(url)).status === 200;
  }),
  await check('the tunnel is there', 'something in front answers for it: let POST through', async () => {
    const answer = await fetch(url + (await pageSettings()).tunnel);
    return answer.status === 405 && answer.headers.get('allow') === 'POST, OPTIONS';
  }),
  await check('the tunnel takes an envelope', 'the log says why it does not', async () => {
    return (await post({}, [])) === 200;
  }),
  await check('the spool can be written', 'free the disk, or give the volume back', async () => {
    return (await fetch(`http://127.0.0.1:${config().managementPort}/readyz`)).status === 200;
  }),
];
process.exitCode = results.every(Boolean) ? 0 : 1;

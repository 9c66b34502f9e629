import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { checkClientDir } from '../backend/src/app/client-dir.ts';
import { type Config, readConfig } from '../backend/src/config/config.ts';
import { messageOf } from './command-line.ts';
import { connectionError, pageSettings, post, url } from './running.ts';

/**
 * Checks the settings and the running Errata, and prints one line for each check. A check is skipped when a check that
 * it depends on failed, so that one cause gives one failure.
 */

const LEAST_NODE = [24, 9] as const;

interface Check {
  readonly name: string;
  /** Names of the checks that must pass first. */
  readonly needs: readonly string[];
  /** Returns the problems and their fix, one a line; empty: the check passes. */
  readonly run: () => Promise<readonly string[]> | readonly string[];
}

let config: Config | undefined;

function nodeProblems(): readonly string[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  return isNew ? [] : [`Node ${process.version} is too old: use ${LEAST_NODE.join('.')} or newer`];
}

function settingProblems(): readonly string[] {
  try {
    config = readConfig(process.env);
    return [];
  } catch (error) {
    const message = messageOf(error);
    return message.match(/[A-Z][A-Z0-9_]+: .*/g) ?? [message];
  }
}

function directoryProblems(): readonly string[] {
  let directory = config?.dataDir ?? '';
  // The server creates the directory; until then its parent must be writable.
  while (!existsSync(directory) && dirname(directory) !== directory) directory = dirname(directory);
  if (!statSync(directory).isDirectory()) return [`ERRATA_DATA_DIR: ${directory} is not a directory`];
  try {
    accessSync(directory, constants.W_OK);
    return [];
  } catch {
    return [`${directory} is not writable: fix its owner, or set ERRATA_DATA_DIR`];
  }
}

function clientProblems(): readonly string[] {
  try {
    if (config !== undefined) checkClientDir(config);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

async function applicationProblems(): Promise<readonly string[]> {
  try {
    const { status } = await fetch(url);
    return status === 200 ? [] : [`${url} answers ${status}: run make start, or set ERRATA_URL`];
  } catch (error) {
    return [`${url} ${connectionError(error)}: run make start`];
  }
}

async function tunnelProblems(): Promise<readonly string[]> {
  const { tunnel } = await pageSettings();
  const { status, headers } = await fetch(url + tunnel);
  const isTunnel = status === 405 && headers.get('allow') === 'POST, OPTIONS';
  return isTunnel ? [] : [`${tunnel} answers ${status}: a proxy in front may be answering; allow POST`];
}

async function envelopeProblems(): Promise<readonly string[]> {
  const status = await post({}, []);
  return status === 200
    ? []
    : [`the tunnel answers ${status} to an envelope: the server's log has the reason`];
}

async function spoolProblems(): Promise<readonly string[]> {
  if (config?.managementPort === null) return [];
  const probe = `http://127.0.0.1:${config?.managementPort}/readyz`;
  try {
    const { status } = await fetch(probe);
    return status === 200 ? [] : [`${probe} answers ${status}: free disk space, or mount the volume`];
  } catch (error) {
    return [`${probe} ${connectionError(error)}: set MANAGEMENT_PORT as in the server`];
  }
}

const CHECKS: readonly Check[] = [
  { name: `Node ${process.version}`, needs: [], run: nodeProblems },
  { name: 'settings', needs: [], run: settingProblems },
  { name: 'data directory is writable', needs: ['settings'], run: directoryProblems },
  { name: 'client is complete', needs: ['settings'], run: clientProblems },
  { name: 'application answers', needs: ['settings'], run: applicationProblems },
  { name: 'tunnel answers', needs: ['application answers'], run: tunnelProblems },
  { name: 'tunnel accepts an envelope', needs: ['tunnel answers'], run: envelopeProblems },
  { name: 'spool is writable', needs: ['application answers'], run: spoolProblems },
];

const failed = new Set<string>();
for (const { name, needs, run } of CHECKS) {
  if (needs.some((need) => failed.has(need))) {
    failed.add(name);
    process.stdout.write(`skip  ${name}\n`);
    continue;
  }
  const problems = await Promise.resolve()
    .then(run)
    .catch((error: unknown) => [`${name}: ${messageOf(error)}`]);
  if (problems.length > 0) failed.add(name);
  for (const problem of problems) process.stdout.write(`FAIL  ${problem}\n`);
  if (problems.length === 0) process.stdout.write(`ok    ${name}\n`);
}
process.exitCode = failed.size > 0 ? 1 : 0;

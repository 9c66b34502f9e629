/**
 * Prints the canonical text and the digest of each fault as JSON. Arguments: URL of read-error.ts, URL of
 * digest.ts, root of the application.
 */
import { afterAwait, faults } from './faults.fixture.ts';

const [readErrorUrl = '', digestUrl = '', root = ''] = process.argv.slice(2);
const { readError } = await import(readErrorUrl);
const { canonicalText, digestOf } = await import(digestUrl);

async function textOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (thrown) {
    const fault = readError(thrown, root);
    return `${digestOf(fault, { route: null }).shown}\n${canonicalText(fault, { route: null })}`;
  }
  return 'nothing was thrown';
}

const texts: Record<string, string> = {};
for (const [name, run] of Object.entries(faults)) texts[name] = await textOf(run);
texts['afterAwait'] = await textOf(afterAwait);
console.log(JSON.stringify(texts));

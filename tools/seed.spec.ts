import { UNUSED_PORT } from '../e2e/fixtures/ports.ts';
import { runTool } from './commands.fixture.ts';

describe('make seed', () => {
  it('says in one line that no server runs', async () => {
    const url = `http://127.0.0.1:${UNUSED_PORT}`;

    const ended = await runTool('seed.ts', { ERRATA_URL: url });

    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `Errata does not answer at ${url}. Run make start, or set ERRATA_URL.\n`,
    });
  });
});

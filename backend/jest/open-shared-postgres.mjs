import { SharedPostgres } from '../src/store/test/shared-postgres.fixture.ts';

export const sharedPostgres = new SharedPostgres();

/** Jest's `globalSetup`. The extension makes Jest import it by Node.js, as the ES module it is. */
export default () => sharedPostgres.open();

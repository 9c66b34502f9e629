import { sharedPostgres } from './open-shared-postgres.mjs';

/** Jest's `globalTeardown`. */
export default () => sharedPostgres.close();

import { sharedPostgres } from './global-setup.mjs';

/** Runs after all spec files. */
export default () => sharedPostgres.close();

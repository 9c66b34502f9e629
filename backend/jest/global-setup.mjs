import { join } from 'node:path';
import { SharedPostgres } from '../src/store/test/shared-postgres.fixture.ts';

export const sharedPostgres = new SharedPostgres();

/** Runs before all spec files. The file's extension makes Jest import it by Node.js, as the ES module it is. */
export default (_, { cacheDirectory }) => {
  // Tests start some hundred threads. Each would strip the types of its modules and compile them again: 0.3 s of processor.
  process.env.NODE_COMPILE_CACHE ??= join(cacheDirectory, 'compiled');
  return sharedPostgres.open();
};

/** As the backend's: one module system everywhere. */
import backend from '../backend/jest.config.js';

export default { ...backend, roots: ['<rootDir>'], collectCoverageFrom: ['**/*.ts', '!**/*.spec.ts'] };

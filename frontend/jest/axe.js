/** jest-axe with its matcher. To load it takes 0.2 s for each file, and a third of the specs of components do without it. */
// By its path: Jest replaces the name with this file.
import { axe, toHaveNoViolations } from '../../node_modules/jest-axe/index.js';

expect.extend(toHaveNoViolations);

export { axe };

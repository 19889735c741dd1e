import { faults, type Fault } from './faults.ts';
import type { Framework } from './start-endpoint.ts';

/** The framework whose correct integrator `npm test` certifies. */
export const sampleFramework: Framework = 'node-http';
/** The first mistake of each framework. */
export const sampleFaults: readonly Fault[] = faults.filter(
  ({ framework }, at) => faults.findIndex((other) => other.framework === framework) === at,
);

import type { PlantableFault } from './operators.ts';

/** Units that must detect a planted fault: unit tests, or the endpoints of the proof. */
export interface Noticer {
  name: string;
  /** The test files or endpoints that can detect this fault, the most probable first. */
  unitsFor(fault: PlantableFault): string[];
  /** The first of these units that fails in the tree at `root`. `undefined` when all of them pass. */
  firstFailing(root: string, units: readonly string[]): Promise<string | undefined>;
}

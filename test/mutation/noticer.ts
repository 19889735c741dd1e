import type { PlantableFault } from './operators.ts';

/** Detects planted faults: unit tests, or the endpoints of the proof. */
export interface Noticer extends AsyncDisposable {
  name: string;
  /**
   * Runs the units that reach a fault until one fails that passes without it: `by`.
   *
   * @param key of the fault in the switches
   */
  judge(fault: PlantableFault, key: string): Promise<{ by?: string; ran: number }>;
}

import type { RequirementId } from './requirements/catalogue.ts';

/**
 * An open point of the interface, and our choice. No verdict relies on it.
 *
 * - `section`: the heading in the interface document - `mark`: for what the document itself marks "not shown", which of
 * the section's marks, from 1; otherwise it is simply silent and we had to choose - `notShown`: what is left open -
 * `weDo`: what the harness or the simulated service does - `advises`: requirements that rest on what we do, so that
 * they can be advice only
 */
export interface Assumption {
  section: string;
  mark?: number;
  notShown: string;
  weDo: string;
  advises?: readonly RequirementId[];
}

import type { SameCause } from '../model/same-cause.ts';
import { counted } from './wording.ts';

/** The common answer of findings with one cause. Contains outside text: escape it for the output format. */
export function describeSameCause({ surface, answer, rest }: SameCause): string {
  return `${counted(rest.length, 'more requirement')} of ${surface} received the same answer (${answer}): probably the same cause. Fix this one first.`;
}

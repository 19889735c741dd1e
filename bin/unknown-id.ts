import { causes } from '../diagnosis/causes.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { faults } from '../specs/faults/fault-table.ts';
import { suggestion } from '../specs/nearest.ts';
import { requirements } from '../specs/requirements/catalogue.ts';

/** The fault of an unknown id, with those that are similar. */
export function unknownId(id: string): HarnessFault {
  const known = [requirements, causes, faults].flatMap((table) => Object.keys(table));
  return new HarnessFault('name-unknown:explained', { id, near: suggestion(id.split('#', 1)[0] ?? id, known) });
}

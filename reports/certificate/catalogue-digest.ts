import { requirements, type Requirement } from '../../specs/requirements/catalogue.ts';
import type { Catalogue } from '../model/build-report.ts';
import { sha256 } from './statement.ts';

/** Fields of a requirement that our diagnosis uses: they change nothing of what is required. */
const internalFields: readonly string[] = ['probe', 'unprobed'] satisfies (keyof Requirement)[];

/** SHA-256, in hex, of the requirement catalogue as JSON without spaces, in its own order. */
export function catalogueDigest(catalogue: Catalogue = requirements): string {
  return sha256(
    JSON.stringify(catalogue, (name, value: unknown) => (internalFields.includes(name) ? undefined : value)),
  );
}

import { requirements } from '../../specs/requirements/catalogue.ts';
import type { Catalogue } from '../model/build-report.ts';
import { sha256 } from './statement.ts';

/** SHA-256, in hex, of the requirement catalogue as JSON without spaces, in its own order. */
export function catalogueDigest(catalogue: Catalogue = requirements): string {
  return sha256(JSON.stringify(catalogue));
}

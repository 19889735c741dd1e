import type { Options } from 'ajv/dist/2020.js';
import { formats } from './formats.ts';
import { schemas } from './schemas.ts';

/** How our schemas are compiled, when the package is built and when the sources run. */
export const validatorOptions: Options = {
  strict: true,
  allowUnionTypes: true,
  schemas: Object.values(schemas),
  formats,
  // A test validates them against the dialect; repeating it would cost a fifth of the start time of the service.
  validateSchema: false,
};

import { requirePackage } from '../harness/checks/require-packages.ts';

/** Loads Pact. Throws {@link HarnessFault} `package-missing` and `engine-failed`. */
export async function loadPact() {
  // Otherwise Pact reports its usage over the network.
  process.env['PACT_DO_NOT_TRACK'] = 'true';
  // CommonJS: its names are fields of the default export.
  return (await requirePackage('@pact-foundation/pact')).default;
}

import { environmentRefusals, selectionRefusals } from '../../reports/certificate/refusals.ts';
import type { Report, Selection } from '../../specs/generated/types.ts';
import type { CertificateInput } from '../run-input.ts';
import { UsageError } from '../usage-error.ts';

/** Parts of the input that make a run unfit for a certificate. */
interface WeakeningOptions {
  anonymize?: boolean;
}

/**
 * Says before the run what would keep it from being certified.
 *
 * @throws UsageError (exit code 2) without a key, with a key and nothing to sign, or with a selection that is not a whole run
 */
export function assertCertifiable(
  { certificate, key, validDays, anonymize }: CertificateInput & WeakeningOptions,
  selection: Selection | undefined,
  waived: readonly string[],
  environment: Report['environment'] = undefined,
): void {
  if (certificate !== true) {
    if (key !== undefined) throw new UsageError('--key signs a certificate: give --certificate as well.');
    if (validDays !== undefined) throw new UsageError('--valid-days is for a certificate: give --certificate as well.');
    return;
  }
  if (key === undefined)
    throw new UsageError('--certificate needs --key: a file, or env:NAME. svc-conform keygen makes one.');
  const refused = [
    ...selectionRefusals(selection),
    ...environmentRefusals(environment),
    ...(anonymize === true ? ['--anonymize takes out what was judged.'] : []),
    ...(waived.length > 0 ? [`The config waives ${waived.join(', ')}.`] : []),
  ];
  if (refused.length > 0) {
    throw new UsageError(`No certificate can be given for such a run. ${refused.join(' ')}`);
  }
}

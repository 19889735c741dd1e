import { environmentRefusals, selectionRefusals } from '../../reports/certificate/refusals.ts';
import type { Report, Selection } from '../../specs/generated/types.ts';
import type { CertificateInput } from '../run-input.ts';
import { UsageError } from '../usage-error.ts';

/** Parts of the input that make a run unfit for a certificate. */
interface WeakeningOptions {
  anonymize?: boolean;
}

/**
 * Refuses before the run what would prevent a certificate.
 *
 * @throws UsageError (exit code 2) without a key, with a key but no certificate, or with a selection that is not a complete run
 */
export function assertCertifiable(
  { certificate, key, validDays, anonymize }: CertificateInput & WeakeningOptions,
  selection: Selection | undefined,
  waived: readonly string[],
  environment: Report['environment'] = undefined,
): void {
  if (certificate !== true) {
    if (key !== undefined) throw new UsageError('--key signs a certificate: add --certificate.');
    if (validDays !== undefined) throw new UsageError('--valid-days is for a certificate: add --certificate.');
    return;
  }
  if (key === undefined)
    throw new UsageError('--certificate needs --key: a file, or env:NAME. svc-conform keygen creates one.');
  const refused = [
    ...selectionRefusals(selection),
    ...environmentRefusals(environment),
    ...(anonymize === true ? ['--anonymize removes the evidence.'] : []),
    ...(waived.length > 0 ? [`The config waives ${waived.join(', ')}.`] : []),
  ];
  if (refused.length > 0) {
    throw new UsageError(`A run like this cannot be certified. ${refused.join(' ')}`);
  }
}

import { environmentRefusals, selectionRefusals } from '../../reports/certificate/refusals.ts';
import type { Report, Selection } from '../../specs/generated/types.ts';
import type { CertificateInput } from '../run-input.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** Parts of the input that make a run unfit for a certificate. */
interface WeakeningOptions {
  anonymize?: boolean;
}

/**
 * Refuses before the run what would prevent a certificate.
 *
 * @throws HarnessFault (exit code 2) without a key, with a key but no certificate, or with a selection that is not a complete run
 */
export function assertCertifiable(
  { certificate, key, validDays, anonymize }: CertificateInput & WeakeningOptions,
  selection: Selection | undefined,
  waived: readonly string[],
  environment: Report['environment'] = undefined,
): void {
  if (certificate !== true) {
    if (key !== undefined)
      throw new HarnessFault('flag-missing:certificate', { flag: '--key', purpose: 'signs a certificate' });
    if (validDays !== undefined)
      throw new HarnessFault('flag-missing:certificate', { flag: '--valid-days', purpose: 'is for a certificate' });
    return;
  }
  if (key === undefined) throw new HarnessFault('flag-missing:key');
  const refused = [
    ...selectionRefusals(selection),
    ...environmentRefusals(environment),
    ...(anonymize === true ? ['--anonymize removes the evidence.'] : []),
    ...(waived.length > 0 ? [`The config waives ${waived.join(', ')}.`] : []),
  ];
  if (refused.length > 0) {
    throw new HarnessFault('certificate-impossible:refused', { reasons: refused });
  }
}

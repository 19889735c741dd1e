import { InvalidArgumentError, type Command } from 'commander';
import { environmentRefusals, selectionRefusals } from '../reports/certificate/refusals.ts';
import { defaultValidDays, mostValidDays } from '../reports/certificate/valid-days.ts';
import type { Report, Selection } from '../specs/types.ts';
import { UsageError } from './usage-error.ts';

/** What a certificate is called in the directory of its report. */
export const certificateFile = 'certificate.json';

/** The flags of a verb that can certify. */
export interface CertificateOptions {
  certificate?: boolean;
  /** A file or `env:NAME`. */
  key?: string;
  /** Days. */
  validDays?: number;
}

/** Flags of a run that make less of it than a certificate may rest on. */
interface WeakeningOptions {
  anonymize?: boolean;
}

/** Adds the flags of {@link CertificateOptions} to a verb. */
export function addCertificateOptions(command: Command): Command {
  return command
    .option('--certificate', `sign ${certificateFile} beside the report when the whole run is conformant; needs --key`)
    .option(`--key <FILE|env:NAME>`, 'private key that signs the certificate; keygen makes one')
    .option(
      '--valid-days <number>',
      `days from the run that the certificate is valid (default: ${defaultValidDays})`,
      days,
    );
}

/**
 * Says before the run what would keep it from being certified.
 *
 * @throws UsageError (exit code 2) without a key, with a key and nothing to sign, or with a selection that is not a whole run
 */
export function assertCertifiable(
  { certificate, key, validDays, anonymize }: CertificateOptions & WeakeningOptions,
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

function days(value: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (!(number >= 1 && number <= mostValidDays)) {
    throw new InvalidArgumentError(`expected a whole number of days from 1 to ${mostValidDays}`);
  }
  return number;
}

import { InvalidArgumentError, type Command } from 'commander';
import { defaultValidDays, mostValidDays } from '../reports/certificate/valid-days.ts';
import { certificateFile } from '../run/publish/certificate-file.ts';

/** Adds the flags of `CertificateInput` to a command. */
export function addCertificateOptions(command: Command): Command {
  return addValidDays(
    command
      .option(
        '--certificate',
        `sign ${certificateFile} next to the report if the complete run is conformant; needs --key`,
      )
      .option(`--key <FILE|env:NAME>`, 'private key that signs the certificate; keygen creates one'),
  );
}

/** Adds the flag for the validity of a certificate. */
export function addValidDays(command: Command): Command {
  return command.option(
    '--valid-days <number>',
    `validity of the certificate in days from the run (default: ${defaultValidDays})`,
    days,
  );
}

function days(value: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (!(number >= 1 && number <= mostValidDays)) {
    throw new InvalidArgumentError(`expected a whole number of days from 1 to ${mostValidDays}`);
  }
  return number;
}

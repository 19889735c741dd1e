import { describeFileError } from '../specs/faults/describe-file-error.ts';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { decideExitCode } from './exit-codes.ts';

interface ReportVerifyOptions {
  report?: string;
  publicKey: string;
  json?: boolean;
}

/**
 * `svc-conform report verify`: verifies a certificate, and shows what it is based on and what it does not cover.
 * Sends nothing. Exit codes: 0 genuine, 1 not genuine or expired, 2 wrong usage.
 */
export function addReportVerify(command: Command): void {
  command
    .command('verify')
    .description('verify a certificate offline; exit code 0 if it is genuine and valid, 1 if not')
    .argument('<certificate>', 'certificate.json')
    .option('--report <report>', 'the report.json that it certifies (default: the one in the same directory)')
    .requiredOption('--public-key <FILE|env:NAME>', 'public key of the signer you trust')
    .option('--json', 'print the result as JSON')
    .action(async (certificate: string, { report, publicKey, json }: ReportVerifyOptions) => {
      const { verifyCertificate } = await import('../reports/certificate/verify-certificate.ts');
      const { renderVerification, verificationJson } = await import('../reports/certificate/render-verification.ts');
      const { killMatrixBytes } = await import('../run/plan/kill-matrix-bytes.ts');
      const { readPublicKey } = await import('../run/input/read-key.ts');
      const { outputWidth, wantsColour, write } = await import('../run/output/terminal.ts');
      const { version } = await import('../run/version.ts');
      const verification = verifyCertificate({
        certificate: await bytesOf('a certificate', certificate),
        report: await bytesOf('the report of the certificate', report ?? join(dirname(certificate), 'report.json')),
        publicKey: await readPublicKey(publicKey),
        killMatrix: await killMatrixBytes(),
        version: version(),
        now: new Date(),
      });
      const shown = { colour: wantsColour(process.stdout), width: outputWidth(process.stdout) };
      await write(
        process.stdout,
        json === true ? verificationJson(verification) : renderVerification(verification, shown),
      );
      decideExitCode(verification.outcome === 'genuine' ? 0 : 1);
    });
}

async function bytesOf(expected: string, file: string): Promise<Buffer> {
  const { readFile } = await import('node:fs/promises');
  const { HarnessFault } = await import('../harness/checks/faults.ts');
  return readFile(file).catch((error: unknown) => {
    throw new HarnessFault('file-unreadable:expected', {
      file,
      expected,
      reason: describeFileError(error),
    });
  });
}

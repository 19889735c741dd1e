import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HarnessFault } from '../harness/checks/faults.ts';
import { describeSignedFleet, type SignedFleet } from '../reports/text/describe-signed-fleet.ts';
import { formatJson } from '../reports/text/format-json.ts';
import { ReportNotWritten } from '../reports/write/write-report.ts';
import { write } from '../run/output/terminal.ts';
import { readPrivateKey } from '../run/input/read-key.ts';
import { parseReport, reportFile } from '../run/input/read-report.ts';
import { certificateFile } from '../run/publish/certificate-file.ts';
import { signReport, type CertificateSettings } from '../run/publish/grant-certificate.ts';
import { describeFileError } from '../specs/faults/describe-file-error.ts';
import type { TargetResult } from '../specs/generated/types.ts';
import { digestOf } from './certified.ts';
import { reportPlace } from './fleet-files.ts';
import { readFleet } from './read-fleet.ts';

/** The flags of `fleet sign`. */
export interface SignFlags {
  /** A file, or `env:NAME`. */
  key: string;
  validDays?: number;
  json?: boolean;
}

/**
 * Signs a certificate next to the report of each conformant target of a directory that `fleet` or `fleet merge` wrote,
 * prints the result, and returns the exit code: 1 if a conformant target has no certificate. Throws {@link HarnessFault}.
 */
export async function signFleet(directory: string, { key: given, validDays, json = false }: SignFlags): Promise<0 | 1> {
  const key = await readPrivateKey(given);
  const { night, targets } = await readFleet(directory);
  const now = new Date();
  const signed: SignedFleet = { night, certificates: [], refused: [], notConformant: [] };
  for (const target of targets) {
    const { id, verdict } = target;
    if (verdict !== 'conformant' && verdict !== 'conformant-with-warnings') {
      signed.notConformant.push(id);
      continue;
    }
    const out = reportPlace(directory, id);
    const outcome = await signTarget(target, { key, validDays, out, now });
    if ('refused' in outcome) {
      const old = join(out, certificateFile);
      const notRemoved = await rm(old, { force: true }).then(
        () => [],
        (error: unknown) => [`${old} of an earlier signature cannot be removed: ${describeFileError(error)}.`],
      );
      signed.refused.push({ target: id, reasons: [...outcome.refused, ...notRemoved] });
    } else signed.certificates.push({ target: id, certificate: outcome.path, validUntil: outcome.validUntil });
  }
  await write(process.stdout, json ? formatJson(signed, 2) : describeSignedFleet(signed), {
    notation: json ? 'json' : 'plain',
  });
  return signed.refused.length > 0 ? 1 : 0;
}

type SignedTarget = { path: string; validUntil: string } | { refused: readonly string[] };

async function signTarget(
  { digest }: TargetResult,
  settings: CertificateSettings & { now: Date },
): Promise<SignedTarget> {
  const file = join(settings.out, reportFile);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return { refused: [`${file} cannot be read: ${describeFileError(error)}.`] };
  }
  if (digestOf(text) !== digest) return { refused: [`${file} is not the report that fleet.json lists.`] };
  try {
    const outcome = await signReport(parseReport(text, file), text, settings);
    if ('refused' in outcome) return outcome;
    return { path: join(settings.out, certificateFile), validUntil: outcome.validUntil };
  } catch (error) {
    // It concerns this target only.
    if (isUnreadable(error)) return { refused: [error.message] };
    if (error instanceof ReportNotWritten) {
      const path = join(settings.out, certificateFile);
      return { refused: [`${path} cannot be written: ${describeFileError(error.cause)}.`] };
    }
    throw error;
  }
}

function isUnreadable(error: unknown): error is HarnessFault {
  return error instanceof HarnessFault && error.code === 'report-unreadable';
}

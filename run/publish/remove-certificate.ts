import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isCertificate } from '../../reports/certificate/envelope.ts';
import { certificateFile } from './certificate-file.ts';

/** Removes the certificate of an earlier report from this directory; keeps a file of that name that is not a certificate. */
export async function removeCertificate(directory: string): Promise<void> {
  const file = join(directory, certificateFile);
  const text = await readFile(file, 'utf8').catch(() => '');
  if (isCertificate(text)) await rm(file, { force: true });
}

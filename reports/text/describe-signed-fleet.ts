import { visibleOnOneLine } from './visible-controls.ts';
import { counted } from './wording.ts';

/** Which targets of a fleet have a certificate now. */
export interface SignedFleet {
  night: string;
  certificates: { target: string; certificate: string; validUntil: string }[];
  /** Conformant targets that cannot be certified, with a sentence for each reason. */
  refused: { target: string; reasons: readonly string[] }[];
  notConformant: string[];
}

/** A line for each conformant target, and a summary. */
export function describeSignedFleet({ night, certificates, refused, notConformant }: SignedFleet): string {
  return `${[
    ...certificates.map(
      ({ target, certificate, validUntil }) => `${target}: valid until ${validUntil}: ${certificate}`,
    ),
    ...refused.map(({ target, reasons }) => visibleOnOneLine(`${target}: no certificate. ${reasons.join(' ')}`)),
    `Night of ${night}: ${counted(certificates.length, 'certificate')} signed, ${refused.length} refused, ${counted(notConformant.length, 'target')} not conformant.`,
  ].join('\n')}\n`;
}

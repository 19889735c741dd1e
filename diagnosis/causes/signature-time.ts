import type { Cause } from '../cause.ts';
import { signedSurfaces } from '../../specs/surfaces.ts';
import { everyAcceptance, everyRequirement, everyRefusal } from '../explained-requirements.ts';

/** Causes in the time of a signature: clocks and the accepted window. */
export const signatureTimeCauses = {
  'signature/clock-off': {
    explains: everyRequirement,
    surfaces: signedSurfaces,
    symptom:
      'All deliveries, or only those that took a little longer, are rejected with 401, although secret and signature are valid.',
    summary:
      'The time that the endpoint compares with t is wrong, so it considers fresh signatures too old or too new.',
    detection:
      'Accepted: valid signatures whose t is shifted by the same amount as the clock, within five minutes on either side. The Date header of the answers is compared with our own clock.',
    remediation:
      'Set the clock of the machine, and keep it synchronised with a time service (NTP). A container uses the clock of its host; a machine that was suspended or restored from a snapshot may be behind. If the clock is right, read it for every delivery and call: a time that your code has kept since it started falls behind.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/time-zone': {
    explains: everyRequirement,
    surfaces: signedSurfaces,
    symptom:
      'Every delivery is rejected with 401, although secret and signature are valid; it may work on a machine in another place.',
    summary:
      'The endpoint compares t with a local time instead of UTC, so it considers fresh signatures hours too old or too new.',
    detection:
      'Accepted: valid signatures whose t is shifted by a UTC offset (whole, half or quarter hours), while the Date header shows that the clock itself is correct.',
    remediation:
      'Compare t with the Unix time in seconds, which has no time zone: do not interpret a local date and time as UTC.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/window-too-tight': {
    explains: everyAcceptance,
    surfaces: signedSurfaces,
    symptom: 'Some deliveries are rejected with 401, more of them on busy days or over slow lines.',
    summary:
      'The endpoint rejects signatures that are less than five minutes off, although the interface allows five minutes.',
    detection:
      'Valid signatures are sent with t shifted step by step until both ends of the accepted window are known.',
    remediation: 'Accept t up to 300 seconds before or after your own clock.',
    section: 'Limits',
    snippet: 'verify-signature',
  },
  'signature/window-too-wide': {
    explains: everyRefusal,
    surfaces: signedSurfaces,
    symptom: 'Everything works, but a check or an audit reports that old deliveries can be replayed.',
    summary:
      'The endpoint accepts signatures that are more than five minutes off, so a recorded delivery can be replayed for longer.',
    detection:
      'Valid signatures are sent with t shifted step by step until both ends of the accepted window are known.',
    remediation:
      'Reject with 401 if t is more than 300 seconds before or after your own clock: compare the absolute difference.',
    section: 'Limits',
    snippet: 'verify-signature',
  },
  'signature/window-missing': {
    explains: everyRefusal,
    surfaces: signedSurfaces,
    symptom: 'Everything works, but a check or an audit reports that old deliveries can be replayed.',
    summary: 'The endpoint never compares t with the current time, so a recorded delivery can be replayed at any time.',
    detection: 'Accepted: valid signatures that are a year old, and a year ahead.',
    remediation:
      'After the signature has been verified, reject with 401 if t is more than 300 seconds off your own clock.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/past-only': {
    explains: everyAcceptance,
    surfaces: signedSurfaces,
    symptom: 'Deliveries are occasionally rejected with 401, without a pattern.',
    summary:
      'The endpoint accepts only signatures from the past, so it rejects deliveries as soon as its own clock is slightly behind.',
    detection: 'Accepted: valid signatures with t in the past. Rejected: those with t a few seconds in the future.',
    remediation: 'Compare the absolute difference: t may also be up to 300 seconds ahead of your clock.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/future-only': {
    explains: everyAcceptance,
    surfaces: signedSurfaces,
    symptom: 'Nearly every delivery is rejected with 401; occasionally one is accepted.',
    summary:
      'The endpoint accepts only signatures from the future, so it rejects deliveries that took a moment to arrive.',
    detection: 'Accepted: valid signatures with t in the future. Rejected: those with t a few seconds in the past.',
    remediation: 'Compare the absolute difference: usually the two sides of a subtraction or comparison are swapped.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/window-in-wrong-unit': {
    explains: everyRequirement,
    surfaces: signedSurfaces,
    symptom: 'Every or nearly every delivery is rejected with 401, or deliveries are accepted that are days old.',
    summary: 'The endpoint mixes seconds and milliseconds when it compares t with the clock.',
    detection:
      'Accepted: a valid signature with t in milliseconds, or only in the first part of a second, or up to 300,000 seconds off.',
    remediation:
      't is in seconds: compare it with the Unix time in seconds (in many languages the current time in milliseconds divided by 1000), and the difference with 300.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/locks-out': {
    surfaces: signedSurfaces,
    symptom: 'The connection worked, then every delivery was rejected, after earlier rejections.',
    summary: 'The endpoint rejects valid signatures after a few invalid ones.',
    detection: 'Accepted: a valid signature at first. Rejected, repeatedly: a valid signature after some invalid ones.',
    remediation:
      'Judge every delivery by its own signature. Remove the lock, or exempt deliveries with a valid signature from it: anyone can send you invalid ones.',
    section: 'Authentication',
  },
} as const satisfies Record<`signature/${string}`, Cause>;

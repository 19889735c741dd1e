import type { Cause } from '../cause.ts';

const signed = ['own-ai-chat', 'own-ai-phone', 'api-webhooks'] as const;

/** Causes about the time of a signature: clocks and the times that are accepted. */
export const signatureTimeCauses = {
  'signature/clock-off': {
    surfaces: signed,
    symptom:
      'Every delivery is refused with 401 although secret and signature are right, or those that took a little longer.',
    summary: 'The clock of the endpoint is wrong, so fresh signatures look too old or too new to it.',
    detection:
      'Right signatures with t moved by the same time as the clock are accepted, and the accepted times span five minutes on either side of that. The Date header of the answers is held against our own clock.',
    remediation:
      'Set the clock of the machine, and keep it set by a time service (NTP). In a container the clock is that of its host; a machine that was asleep or was restored from a snapshot may not have caught up.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/time-zone': {
    surfaces: signed,
    symptom:
      'Every delivery is refused with 401 although secret and signature are right; it may work on a machine in another place.',
    summary:
      'The endpoint compares t with a local time instead of UTC, so fresh signatures look hours too old or too new.',
    detection:
      'Right signatures are accepted when t is moved by a time difference of whole hours, halves or quarters of an hour, while the Date header shows that the clock itself is right.',
    remediation:
      'Compare t with the Unix time in seconds, which has no time zone: do not read a local date and time as if they were UTC.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/window-too-tight': {
    surfaces: signed,
    symptom: 'Some deliveries are refused with 401, more on busy days or over slow lines.',
    summary: 'Signatures are refused that are less than five minutes off, though the interface allows for that.',
    detection: 'Right signatures are sent with t moved step by step until the ends of the accepted times are known.',
    remediation: 'Accept t within 300 seconds of your own clock, into the past and into the future.',
    section: 'Limits',
    snippet: 'verify-signature',
  },
  'signature/window-too-wide': {
    surfaces: signed,
    symptom: 'Everything works; a check or an audit says that old deliveries can be sent again.',
    summary:
      'Signatures are accepted that are more than five minutes off, so that a recorded delivery can be sent again for longer.',
    detection: 'Right signatures are sent with t moved step by step until the ends of the accepted times are known.',
    remediation:
      'Refuse with 401 when t is more than 300 seconds off your own clock, into the past and into the future: compare the amount of the difference.',
    section: 'Limits',
    snippet: 'verify-signature',
  },
  'signature/window-missing': {
    surfaces: signed,
    symptom: 'Everything works; a check or an audit says that old deliveries can be sent again.',
    summary:
      'The signature is checked, but its t is never held against the clock, so that a recorded delivery can be sent again at any time.',
    detection: 'Right signatures are accepted that are a year old, and a year ahead.',
    remediation:
      'After the signature has been found right, refuse with 401 when t is more than 300 seconds off your own clock.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/past-only': {
    surfaces: signed,
    symptom: 'Deliveries are refused with 401 now and then, without a pattern.',
    summary:
      'Only signatures from the past are accepted, so a delivery is refused as soon as its own clock is a little behind.',
    detection: 'Right signatures are accepted with t in the past and refused with t a few seconds in the future.',
    remediation:
      'Compare the amount of the difference, without its sign: t may be up to 300 seconds ahead of your clock as well.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/future-only': {
    surfaces: signed,
    symptom: 'Nearly every delivery is refused with 401; now and then one is accepted.',
    summary:
      'Only signatures from the future are accepted, so a delivery is refused as soon as it took a moment to arrive.',
    detection: 'Right signatures are accepted with t in the future and refused with t a few seconds in the past.',
    remediation:
      'Compare the amount of the difference, without its sign: most often the two sides of a subtraction or comparison are swapped.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/window-in-wrong-unit': {
    surfaces: signed,
    symptom: 'Every delivery is refused with 401, or nearly every one; or deliveries are accepted that are days old.',
    summary: 'Seconds and milliseconds are mixed when t is held against the clock.',
    detection:
      'A right signature is accepted when t is written in milliseconds, or only in the first part of a second, or up to 300,000 seconds off.',
    remediation:
      't is in seconds: compare it with the Unix time in seconds (in many languages the current time in milliseconds divided by 1000), and the difference with 300.',
    section: 'Authentication',
    snippet: 'verify-signature',
  },
  'signature/locks-out': {
    surfaces: signed,
    symptom: 'The connection worked, then every delivery was refused, after some had been refused before.',
    summary: 'After a few wrong signatures the endpoint refuses right ones as well.',
    detection: 'A right signature that was accepted before is refused after wrong ones were sent, and refused again.',
    remediation:
      'Judge every delivery by its own signature. Take away the lock, or exempt deliveries whose signature is right from it: anybody can send you wrong ones.',
    section: 'Authentication',
  },
} as const satisfies Record<`signature/${string}`, Cause>;

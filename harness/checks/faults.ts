/**
 * Harness faults: what went wrong on our side or before the endpoint could be judged. A fault never fails a
 * requirement; it makes a check `blocked` or ends the command. Codes are stable.
 */
export const faultCodes = {
  'config-not-found': 'No config file and no flags that name a surface.',
  'config-unreadable': 'The config file cannot be read or is not in its format.',
  'config-invalid': 'The config has a key or value that is not allowed.',
  'secret-missing': 'An environment variable that holds a secret is not set.',
  'capture-unreadable': 'A recording cannot be read or has nothing of the interface.',
  'address-not-allowed': 'http: and ws: are allowed for loopback only.',
  'selection-empty': 'The selection leaves no check to run.',
  'suite-unusable': "A suite of the integrator's own cannot be used.",
  'report-not-written': 'The report could not be written.',
  'container-runtime-missing': 'Docker, or another runtime of containers, could not be reached.',
  'image-not-found': 'The image is not on this machine and could not be had.',
  'container-not-started': 'The container could not be started.',
  'container-not-ready': 'The container did not become ready in time, or ended before.',
  'out-of-resources': 'This machine has too few file handles, or too little memory or disk space, for the run.',
  'inbox-not-started': 'The inbox for callbacks and replies could not listen.',
  'public-url-astray': 'A request to service.publicUrl does not come back to this process.',
  'target-unreachable': 'No connection to the endpoint could be made.',
  'target-stopped': 'The endpoint stopped in this run and did not listen again.',
  'client-certificate-required': 'The server of the endpoint requires a client certificate.',
  'target-silent': 'The endpoint has left many deliveries in a row without an answer.',
  'target-throttles': 'The endpoint keeps asking for a pause, or asks for one that is too long.',
  'no-answer-yet': 'No answer came in the time that we wait, where the interface gives no limit.',
  'not-read': 'An answer or request was too large, too deep or not complete, so that what it contains is not known.',
  'not-reproducible': 'What failed once did not fail again.',
  'control-failed': 'The correct counterpart of a negative case was not accepted, so the case proves nothing.',
  'nothing-judged': 'The check ended without a judgement.',
  'own-delay': 'Our own process was delayed, so that a time could not be compared with its limit.',
  'still-open': 'What was waited for may still come; the wait was shortened.',
  'observe-failed': 'The address of `observe` did not answer with JSON.',
  'client-not-started': 'The command of apiClient.exercise could not be run.',
  'client-failed': 'The client that was started failed before it had called all that it calls.',
  'client-silent': 'The client that was started sent no request and failed.',
  'check-broken': 'The check itself threw.',
  'engine-failed': 'The engine could not run a suite.',
} as const;

export type FaultCode = keyof typeof faultCodes;

/** A fault of the harness or of the set-up, with a code from {@link faultCodes} and a sentence that says what to do. */
export class HarnessFault extends Error {
  override readonly name = 'HarnessFault';
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Thrown by a check that the endpoint gave nothing to judge, in a permitted way. */
export class NotExercised extends Error {
  override readonly name = 'NotExercised';
}

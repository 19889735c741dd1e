import type { Cause } from '../cause.ts';

const onThePhone = {
  surfaces: ['own-ai-phone'],
  section: 'Own-AI phone frames (JSON over WebSocket)',
  snippet: 'stream-phone-answers',
} as const;

/** Causes of calls that do not start or in which no sentence is answered. */
export const phoneSetUpCauses = {
  'phone/origin-wanted': {
    ...onThePhone,
    symptom: 'Calls are rejected with 403, although the signature is valid.',
    summary: 'The endpoint accepts WebSocket connections only with an Origin header, which the service does not send.',
    detection:
      'Accepted: a correctly signed upgrade with an Origin header. Rejected: the same without it, before and after.',
    remediation:
      'Disable the Origin check for this address, or accept requests without the header: the signature already authenticates the caller.',
  },
  'phone/subprotocol-wanted': {
    ...onThePhone,
    symptom: 'Calls are rejected with 400 or 403, although the signature is valid.',
    summary: 'The endpoint accepts WebSocket connections only with a subprotocol, and the service offers none.',
    detection:
      'Accepted: a correctly signed upgrade that offers subprotocols. Rejected: the same without them, before and after.',
    remediation:
      'Accept connections without Sec-WebSocket-Protocol at this address, and select no subprotocol in the answer.',
  },
  'phone/subprotocol-unasked': {
    ...onThePhone,
    symptom: 'No phone connection is established, although the log of the endpoint shows one.',
    summary: 'The endpoint selects a subprotocol that the upgrade did not offer, so the client closes the connection.',
    detection: 'The answer to an upgrade that offers no subprotocol has a Sec-WebSocket-Protocol header.',
    remediation: 'Send Sec-WebSocket-Protocol only if the request has that header; the service offers no subprotocol.',
  },
  'phone/set-up-too-slow': {
    ...onThePhone,
    section: 'Limits',
    symptom: 'Callers leave a message, and the app shows the team that no connection was established.',
    summary: 'The endpoint takes longer to accept a call than the service waits for the connection.',
    detection:
      'The time from dialling to the connection is measured for several calls in a row, and exceeds the limit each time.',
    remediation:
      'Answer the upgrade first and prepare everything else afterwards: load models when the process starts, and open upstream connections after session.started.',
  },
  'phone/set-up-slow-at-first': {
    ...onThePhone,
    section: 'Limits',
    symptom: 'The first call after a pause is lost, while the next ones work.',
    summary: 'The endpoint must start up for its first call, which takes longer than the service waits.',
    detection: 'The first call connects late, and the calls right after it connect in time.',
    remediation:
      'Keep one instance running (no scaling to zero), and warm it up when it starts, not on its first call.',
  },
  'phone/closed-at-once': {
    ...onThePhone,
    symptom: 'Every call ends as soon as it begins, and the log shows a connection.',
    summary: 'The endpoint accepts the upgrade and closes the connection before the first frame.',
    detection:
      'The connection is established and closed before the first frame, and again in a call whose first frame is sent at once.',
    remediation:
      'Check the code that runs when the connection opens: usually a second authentication, or an exception in the connection handler. Reject with a 4xx before the upgrade, or keep the connection open.',
  },
  'phone/closed-at-session-started': {
    ...onThePhone,
    symptom: 'Every call ends as soon as it begins, and the log shows one frame.',
    summary: 'The session.started handler of the endpoint fails or rejects the call, which closes the connection.',
    detection: 'The connection stays open in silence and closes after session.started, whatever its values are.',
    remediation:
      'Look in the log for an exception in the session.started handler; read only the fields that you need, and treat each as optional.',
  },
  'phone/other-first-frame': {
    ...onThePhone,
    symptom: 'Calls connect, then end at once or stay silent.',
    summary: 'The endpoint was written for another voice interface and expects a first frame of another type.',
    detection:
      'Answered: sentences after a first frame with the type of another interface. Not answered: sentences after session.started or an invented type.',
    remediation:
      'Begin the call at the frame with type session.started, and read callId, contact, language and skills from it.',
  },
  'phone/session-value-not-handled': {
    ...onThePhone,
    symptom: 'Some calls end at once or stay silent, while others work.',
    summary: 'The endpoint accepts only calls whose session.started has certain values.',
    detection: 'Fields of session.started are changed until the call continues, then changed back one by one.',
    remediation:
      'Accept any language, any list of skills and any contact in session.started, and continue without missing fields.',
  },
  'phone/reads-other-field': {
    ...onThePhone,
    symptom: 'Calls connect, but the caller hears nothing after the greeting.',
    summary: "The endpoint reads the caller's sentence from a field other than text.",
    detection:
      'Answered: a prompt that repeats the sentence in additional fields, and then one with only one of these fields added.',
    remediation: "Read the caller's sentence from the text field of the frame whose type is prompt.",
  },
  'phone/reads-other-type': {
    ...onThePhone,
    symptom: 'Calls connect, but the caller hears nothing after the greeting.',
    summary: "The endpoint expects the caller's sentence in a frame of a type other than prompt.",
    detection: 'Answered: the sentence in frames of several other types, and then in a frame of only one of them.',
    remediation: 'Answer the frame whose type is prompt.',
  },
  'phone/never-answers': {
    ...onThePhone,
    symptom: 'Calls connect, but the caller hears nothing after the greeting.',
    summary: "The endpoint accepts the caller's sentences and never sends a frame.",
    detection:
      'No frame arrives for several sentences in several calls, even in the forms of other interfaces and with a long timeout.',
    remediation:
      'Log each received prompt and each frame that you send; between the two, look for an exception, a missing API key for the model, or a frame that is never flushed.',
  },
  'phone/not-ready-at-once': {
    ...onThePhone,
    symptom: 'The first sentence of a call is lost, usually when the caller is quick.',
    summary: 'The endpoint loses sentences that arrive before it is ready, in the first seconds after session.started.',
    detection:
      'Answered: a later first sentence. Not answered: a first sentence soon after session.started. Halving the time between them finds the limit.',
    remediation: 'Queue sentences until the model and the rest of the call are ready, then answer them.',
  },
  'phone/first-sentence-lost': {
    ...onThePhone,
    symptom: 'The first sentence of each call is lost, and the second is answered.',
    summary: 'The endpoint never answers the first sentence of a call, however late it arrives.',
    detection:
      'Answered: the second sentence. Not answered: the first one, soon after session.started or five seconds later.',
    remediation:
      'Attach the message handler when the connection opens, and do not treat the first prompt as part of the setup.',
  },
  'phone/stops-answering': {
    ...onThePhone,
    symptom: 'The caller gets answers at first, then no more.',
    summary: 'The endpoint answers a fixed number of sentences per call, and none after them.',
    detection:
      'In two calls, sentences are sent one after the other until one is not answered; the number is the same. If the endpoint closes the calls at that sentence, the second call starts with a silence, to rule out a time limit.',
    remediation:
      'Listen for every frame instead of only the next one, and release what each answer uses: listeners, connections, slots in a pool.',
  },
  'phone/first-piece-slow': {
    ...onThePhone,
    section: 'Limits',
    symptom: 'Callers wait long for an answer, or the service gives up on it.',
    summary: 'The endpoint sends the first piece of its answers later than the timeout of this assistant.',
    detection:
      'The time from prompt to first piece is measured for several sentences, minus the delays of our own process.',
    remediation:
      'Stream the output of the model piece by piece, say a short filler first, and raise timeoutSeconds if the model needs it.',
  },
  'phone/first-piece-slow-at-first': {
    ...onThePhone,
    section: 'Limits',
    symptom: 'The first answer of each call takes long, while later ones are quick.',
    summary: 'The endpoint sends the first answer of a call later than the timeout, and the next ones in time.',
    detection: 'The times of several answers are measured in two calls; in both, only the first is late.',
    remediation:
      'Connect to the model and load its data at session.started, while the service still greets the caller.',
  },
  'phone/closes-at-a-sentence': {
    ...onThePhone,
    symptom: 'The call ends as soon as the caller has said something.',
    summary: 'The prompt handler of the endpoint fails, which closes the connection.',
    detection: 'Two calls close at their first sentence, and one without a sentence stays open.',
    remediation: 'Look in the log for an exception in the prompt handler, and catch errors of the model inside it.',
  },
  'phone/answers-with-an-error': {
    ...onThePhone,
    symptom: 'Calls connect, but the caller hears nothing, and the log shows an error.',
    summary: 'The endpoint answers the sentence with an error frame, which the service ignores.',
    detection: 'The frame that follows a prompt reports an error.',
    remediation:
      'Fix the error that the frame names; if the model fails, say a sentence to the caller or send the action handover.',
  },
} as const satisfies Record<`phone/${string}`, Cause>;

import type { Cause } from '../cause.ts';

const onThePhone = {
  surfaces: ['own-ai-phone'],
  section: 'Own-AI phone frames (JSON over WebSocket)',
  snippet: 'stream-phone-answers',
} as const;

/** Causes for which calls do not begin, or no sentence is answered. */
export const phoneSetUpCauses = {
  'phone/origin-wanted': {
    ...onThePhone,
    symptom: 'Calls are refused with 403 though the signature is right.',
    summary: 'The endpoint takes WebSocket connections only with an Origin header, which the service does not send.',
    detection:
      'A correctly signed upgrade is refused, the same with an Origin header is taken, and once more without it is refused.',
    remediation:
      'Switch the check of Origin off for this address, or let requests without the header pass: the signature already says who calls.',
  },
  'phone/subprotocol-wanted': {
    ...onThePhone,
    symptom: 'Calls are refused with 400 or 403 though the signature is right.',
    summary: 'The endpoint takes WebSocket connections only with a subprotocol, and the service offers none.',
    detection:
      'A correctly signed upgrade is refused, the same that offers subprotocols is taken, and once more without them is refused.',
    remediation:
      'Take connections without Sec-WebSocket-Protocol at this address, and choose no subprotocol in the answer.',
  },
  'phone/subprotocol-unasked': {
    ...onThePhone,
    symptom: 'No phone connection comes about, though the log of the endpoint shows one.',
    summary:
      'The answer to the upgrade chooses a subprotocol that nobody offered, which ends the connection on the other side.',
    detection: 'The answer to an upgrade that offers no subprotocol has a Sec-WebSocket-Protocol header.',
    remediation:
      'Send Sec-WebSocket-Protocol only when the request has that header; the service offers no subprotocol.',
  },
  'phone/set-up-too-slow': {
    ...onThePhone,
    section: 'Limits',
    symptom: 'Callers leave a message, and the team reads that no connection came about.',
    summary: 'The endpoint takes longer to take a call than the service waits for the connection.',
    detection:
      'The time from dialling to the connection is taken of several calls in a row, and each is over the limit.',
    remediation:
      'Answer the upgrade first and prepare everything else afterwards: load models at the start of the process, and open connections to others when session.started has come.',
  },
  'phone/set-up-slow-at-first': {
    ...onThePhone,
    section: 'Limits',
    symptom: 'The first call after a pause is lost, and the next ones work.',
    summary: 'The endpoint has to wake up for its first call, which takes longer than the service waits.',
    detection: 'The first call comes about late and those straight after it do not.',
    remediation: 'Keep one instance running (no scaling to zero), and warm it up at its start, not at its first call.',
  },
  'phone/closed-at-once': {
    ...onThePhone,
    symptom: 'Every call ends as soon as it begins; the log shows a connection.',
    summary: 'The endpoint takes the upgrade and closes the connection before anything is said.',
    detection:
      'The connection stands and is closed before the first frame, and again in a call whose first frame comes at once.',
    remediation:
      'Look for what runs when the connection opens: most often a second check of who calls, or an exception in the handler of the connection. Refuse with a 4xx before the upgrade, or keep the connection.',
  },
  'phone/closed-at-session-started': {
    ...onThePhone,
    symptom: 'Every call ends as soon as it begins; the log shows one frame.',
    summary: 'The handler of session.started fails or refuses the call, which closes the connection.',
    detection:
      'The connection stays up in silence and is closed when session.started has come, whatever its values are.',
    remediation:
      'Look into the log at this moment for an exception in the handler of session.started; read only the fields that you need, and treat each as one that may be missing.',
  },
  'phone/other-first-frame': {
    ...onThePhone,
    symptom: 'Calls connect, and end at once or stay silent.',
    summary: 'The endpoint was written for another voice interface and begins a call at a first frame of another type.',
    detection:
      'With the type of another interface in the first frame sentences are answered; with session.started or a forged type they are not.',
    remediation:
      'Begin the call at the frame with type session.started, and read callId, contact, language and skills from it.',
  },
  'phone/session-value-not-taken': {
    ...onThePhone,
    symptom: 'Some calls end at once or stay silent, others work.',
    summary: 'The endpoint takes only calls whose session.started has certain values.',
    detection: 'Fields of session.started are changed until the call goes on, and then back one by one.',
    remediation:
      'Take any language, any list of skills and any contact in session.started, and do without what is missing.',
  },
  'phone/reads-other-member': {
    ...onThePhone,
    symptom: 'Calls connect, and the caller hears nothing after the greeting.',
    summary: "The endpoint reads the caller's sentence from another field than text.",
    detection:
      'A prompt that has the sentence under further names is answered, and then with one of these names alone.',
    remediation: "Read the caller's sentence from text of the frame whose type is prompt.",
  },
  'phone/reads-other-type': {
    ...onThePhone,
    symptom: 'Calls connect, and the caller hears nothing after the greeting.',
    summary: "The endpoint waits for the caller's sentence in a frame of another type than prompt.",
    detection: 'Frames of other types with the sentence are sent together, and then one alone, which is answered.',
    remediation: 'Answer the frame whose type is prompt.',
  },
  'phone/never-answers': {
    ...onThePhone,
    symptom: 'Calls connect, and the caller hears nothing after the greeting.',
    summary: 'The endpoint takes the sentences of the caller and never sends a frame.',
    detection:
      'Several sentences in several calls, also in the forms of other interfaces and with much patience, lead to no frame at all.',
    remediation:
      'Log each prompt that comes and each frame that goes out; look for an exception, a missing key for the model, or a frame that is never flushed between the two.',
  },
  'phone/not-ready-at-once': {
    ...onThePhone,
    symptom: 'The first sentence of a call is lost, mostly when the caller is quick.',
    summary: 'The endpoint loses sentences that come before it is ready, some seconds after session.started.',
    detection:
      'A first sentence soon after session.started is not answered, and one that comes later is; the time between is halved.',
    remediation:
      'Keep sentences in a queue until the model and everything else of the call is there, and answer them then.',
  },
  'phone/first-sentence-lost': {
    ...onThePhone,
    symptom: 'The first sentence of each call is lost, and the second is answered.',
    summary: 'The endpoint never answers the first sentence of a call, however late it comes.',
    detection:
      'The first sentence is not answered soon after session.started nor five seconds later, and the second one is.',
    remediation:
      'Attach the handler of frames when the connection opens, and do not take the first prompt for a part of the set-up.',
  },
  'phone/stops-answering': {
    ...onThePhone,
    symptom: 'The caller is answered at first, and then no more.',
    summary: 'The endpoint answers a number of sentences of each call, and none after them.',
    detection: 'Sentences are said one after the other in two calls until one is not answered; the number is the same.',
    remediation:
      'Listen for every frame and not for the next one only, and give back what each answer takes: listeners, connections, places in a pool.',
  },
  'phone/first-piece-slow': {
    ...onThePhone,
    section: 'Limits',
    symptom: 'Callers wait long for an answer, or it is given up.',
    summary: 'The first piece of answers comes later than the waiting time that is set for this assistant.',
    detection: 'The time from prompt to first piece is taken of several sentences, less what we ourselves stood still.',
    remediation:
      'Stream the answer of the model piece by piece, say a short filler first, and raise timeoutSeconds where the model needs it.',
  },
  'phone/first-piece-slow-at-first': {
    ...onThePhone,
    section: 'Limits',
    symptom: 'The first answer of each call takes long, and later ones are quick.',
    summary: 'The first answer of a call comes later than the waiting time, and the next ones in time.',
    detection: 'The times of several answers are taken in two calls; in both only the first is late.',
    remediation:
      'Open the connection to the model and load what it needs when session.started comes, while the service still greets.',
  },
  'phone/closes-at-a-sentence': {
    ...onThePhone,
    symptom: 'The call ends as soon as the caller has said something.',
    summary: 'The handler of prompt fails, which closes the connection.',
    detection: 'Two calls are closed at their first sentence, and one in which nothing is said stays up.',
    remediation:
      'Look into the log at this moment for an exception in the handler of prompt, and catch errors of the model inside it.',
  },
  'phone/answers-with-an-error': {
    ...onThePhone,
    symptom: 'Calls connect, and the caller hears nothing; the log shows an error.',
    summary: 'The endpoint answers the sentence with an error frame, which the service passes over.',
    detection: 'What comes after a prompt is a frame that says error.',
    remediation:
      'Fix the error that the frame names; say a sentence to the caller or send action handover when the model fails.',
  },
} as const satisfies Record<`phone/${string}`, Cause>;

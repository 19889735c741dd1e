import type { ServiceStatement } from './requirement.ts';

/** Behaviour of the service on the own-AI phone. */
export const servicePhone = {
  'service/phone-upgrade-is-signed-over-the-call-id': {
    section: 'Authentication',
    statement:
      "The upgrade request carries X-Svc-Call-Id and X-Svc-Signature: hex HMAC-SHA256 with the assistant's secret over t, a full stop and the call id.",
  },
  'service/phone-has-one-connection-per-call': {
    section: 'Own-AI endpoints (the service calls the integrator)',
    statement: 'Every call is a separate WebSocket connection to voiceUrl.',
  },
  'service/phone-protocol-in-header-and-session-started': {
    section: 'Versioning',
    statement:
      'The protocol revision 2026-10-11 is in X-Svc-Agent-Protocol of the upgrade and in protocol of session.started.',
  },
  'service/phone-sends-nothing-without-a-secret': {
    section: 'Authentication',
    statement: 'Without a secret no call is made to the AI.',
  },
  'service/phone-waits-five-seconds-for-the-connection': {
    section: 'Limits',
    statement: 'The service gives up on a connection to the AI that is not established within five seconds.',
  },
  'service/phone-failed-connection-leaves-a-message': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement:
      'When no connection is established, or wss address or secret is missing, the caller leaves a message and the reason is shown to the team.',
  },
  'service/phone-failed-connection-counts-as-answered': {
    section: 'Limits',
    statement: 'A call without a connection to the AI is billed like one that was answered normally.',
  },
  'service/phone-failure-shows-in-the-status': {
    section: 'Errors',
    statement:
      'A failure on the phone shows in lastFailureAt, lastError and consecutiveFailures of the assistant, a success in lastSuccessAt.',
  },
  'service/phone-test-opens-and-closes-once': {
    section: 'API v1',
    statement: 'POST /v1/agents/{id}/test opens the phone connection and closes it, once.',
  },
  'service/phone-greets-before-the-first-prompt': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'The caller has been greeted by the service before a first sentence goes to the AI.',
  },
  'service/phone-session-started-members': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement:
      'The frame session.started has protocol, callId, callSid, projectId, workspaceId, agentId, from, to, language, contact with id and name, and skills.',
  },
  'service/phone-language-is-one-of-two': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'The language in session.started is de-DE or en-US.',
  },
  'service/phone-prompt-per-sentence': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'The service sends each sentence of the caller to the AI as a prompt with its text.',
  },
  'service/phone-dtmf-per-key': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'Each key that the caller presses goes to the AI as a dtmf frame with its digit.',
  },
  'service/phone-interrupt-tells-what-was-spoken': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement:
      'When the caller speaks into an answer, an interrupt shows the AI in spokenUntilInterrupt how far it was heard.',
  },
  'service/phone-session-ended-then-closed': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'When the call is over for the AI, session.ended goes out and the connection is closed after it.',
  },
  'service/phone-speaks-the-pieces-of-an-answer': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'Text frames are spoken one after the other as a single answer until one has last true.',
  },
  'service/phone-passes-no-empty-piece-on': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'An empty text frame adds nothing to what the caller hears.',
  },
  'service/phone-takes-token-for-text': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'A frame of type text may carry its speech as token.',
  },
  'service/phone-end-speaks-then-hangs-up': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'With the action end, the service speaks the text and hangs up.',
  },
  'service/phone-handover-speaks-the-text': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'With the action handover, the service speaks the text, and the AI takes no further part in the call.',
  },
  'service/phone-handover-takes-a-message': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'After the action handover the team is notified and the caller can leave a message.',
  },
  'service/phone-note-shows-in-the-conversation': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'The note of an action is seen in the conversation.',
  },
  'service/phone-ignores-what-is-not-json': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'A frame that is not JSON changes nothing, and the call continues.',
  },
  'service/phone-ignores-unknown-actions': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'An action frame whose action is neither end nor handover changes nothing, and the call continues.',
  },
  'service/phone-large-frame-ends-the-connection': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'A frame of more than 64 KB makes the service end the connection; one of exactly that size does not.',
  },
  'service/phone-closed-by-the-ai-leaves-a-message': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement:
      'When the AI closes the connection in mid-call and sent no action, the caller leaves a message and the reason is shown to the team.',
  },
  'service/phone-takeover-ends-the-session': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'A team member who takes the call over in the app makes the service send session.ended to the AI.',
  },
  'service/phone-failed-takeover-resumes': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement:
      'When no one picks up after a takeover, the caller comes back to the AI, with resumed handover_failed in session.started and the outcome as resumedAfter.',
  },
  'service/phone-stores-the-transcript': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'The words of callers and the answers of the AI are kept as the transcript.',
  },
  'service/phone-takes-skills-by-key-or-id': {
    section: 'Skills as tools',
    statement: 'A skill frame names its skills by key or id in executeSkills, or a single one as key.',
  },
  'service/phone-skill-result-per-skill': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    statement: 'Each requested skill is answered by a skill.result with key and ok, and a reason where there is one.',
  },
  'service/phone-refuses-skills-with-a-reason': {
    section: 'Errors',
    statement:
      'A skill that the assistant does not have is refused with unknown-skill, one that is named twice with not-allowed, a second forward with one-forward-per-turn.',
  },
  'service/phone-refuses-skills-by-hours-and-limits': {
    section: 'Errors',
    statement:
      'Opening hours, skillsPerHourLimit, forwardsPerCallLimit, a missing target or recipient and an unanswered call refuse a skill, each with its reason.',
  },
  'service/phone-pending-approval-is-ok': {
    section: 'Skills as tools',
    statement: 'A skill result with the reason pending-approval has ok true.',
  },
  'service/phone-forward-puts-the-call-through': {
    section: 'Skills as tools',
    statement: 'A forward puts the call through to the target of the skill, and then along its no-answer chain.',
  },
  'service/phone-speaks-before-transferring': {
    section: 'Skills as tools',
    statement:
      'Before transferring, the announcement is spoken; a standard line where there is none, and nothing where the AI sent an empty one.',
  },
  'service/phone-alert-takes-its-text-from-the-note': {
    section: 'Skills as tools',
    statement: 'An alert shows the team the note, else the text, else a line that names conversation and contact.',
  },
  'service/phone-runs-alerts-before-the-forward': {
    section: 'Skills as tools',
    statement: 'Of several skills in one request the alerts run first and the forward last.',
  },
  'service/phone-refused-skills-cost-nothing': {
    section: 'Errors',
    statement: 'A skill that is refused is not charged.',
  },
  'service/phone-is-charged-by-the-minute': {
    section: 'Limits',
    statement:
      'A call of an own AI is charged per started minute; one without a connection to the AI counts as a call that was answered as usual.',
  },
  'service/phone-app-calls-cost-credits': {
    section: 'Limits',
    statement: "A team's call from app to app costs 3 credits per started minute.",
    awaits: 'calls between apps, which the integrator does not see',
  },
} as const satisfies Record<`service/phone-${string}`, ServiceStatement>;

import type { Assumption } from './assumption.ts';

/** What the interface leaves open about what the own AI, or whoever stands in for it, says and does in the service. */
export const ownAiAssumptions = {
  'skill-announcement-in-chat': {
    section: 'Skills as tools',
    notShown: 'When an announcement goes out in chat, and how often with several skills.',
    weDo: 'Before the skill runs; one that the AI gives goes out once, with the first skill that runs, and then no skill announces itself.',
  },
  'skills-and-reply-status': {
    section: 'Agent reply (POST .../agent-replies) status',
    notShown: 'The status of a reply without text that runs skills or has only a note.',
    weDo: 'The simulated API answers handed_over after a forward, and noop after alerts or a note alone.',
  },
  'skill-pending-approval': {
    section: 'Skills as tools',
    notShown: 'Whether a skill that waits for approval counts for the limit, and what becomes of it.',
    weDo: 'It counts for skillsPerHourLimit, the team gets a push, and nothing else follows.',
  },
  'forward-tried': {
    section: 'Skills as tools',
    notShown: 'Whether a forward that was refused is the one of its answer.',
    weDo: 'Only one that was tried is: it ran, waits for approval, was not answered or failed.',
  },
  'skills-offered-when-refused': {
    section: 'Skill (attached to an assistant)',
    notShown: 'Which skills count as allowed right now.',
    weDo: 'The simulated service omits what hours, limits, plan, target or recipient forbid; one that ends in no-answer or failed is still offered.',
  },
  'skill-system-turn': {
    section: 'Skills as tools',
    notShown: 'The other words of the system turn, and its form for a skill that ran.',
    weDo: 'The simulated service writes Skill done: [key], Skill waits: [key] (reason) or Skill refused: [key] (reason).',
  },
  'chat-not-connected': {
    section: 'Own-AI chat event: message.received',
    notShown: 'Whether auto-reply changes when a message goes to the team for want of an address or a secret.',
    weDo: 'It stays; the team gets a push for each message, and the connection status stays too.',
  },
  'history-turn-length': {
    section: 'Chat history turn',
    notShown: 'Whether long turns are cut.',
    weDo: 'The simulated service cuts each to 4000 characters in the history of an event; the transcript of a project has them in full.',
  },
  'own-ai-text-closed-window': {
    section: 'What the service does',
    notShown: 'What becomes of a text of the AI when the WhatsApp window is closed.',
    weDo: 'A notification goes out and the text waits; the reply is answered sent.',
  },
  'ai-text-note-after-pause': {
    section: 'Own-AI chat event: message.received',
    notShown: 'Whether the note about a text of the AI comes again when the team replies after a pause.',
    weDo: 'It comes once until auto-reply is on again.',
  },
  'own-assistant': {
    section: 'What the service does',
    notShown: "What the service's own assistant says where no own AI answers.",
    weDo: 'In chat a greeting with privacy notice at the start, then a stock answer to each message, and nothing while auto-reply is not on.',
  },
  'channels-without-own-ai': {
    section: 'Own-AI chat event: message.received',
    notShown: 'Who answers SMS, RCS and email.',
    weDo: 'Nobody: the team gets a push.',
  },
  'agent-test-duration': {
    section: 'API v1',
    notShown: 'What durationMs, statusCode and error of a test measure when both channels are tested.',
    weDo: 'The durationMs and statusCode are those of the ping, durationMs that of the phone without a chat address; the error is the first.',
  },
  'call-without-own-ai': {
    section: 'What the service does',
    notShown: 'Who answers a call where no own AI answers the conversation.',
    weDo: 'The caller leaves a message, and the team gets the conversation with a note.',
  },
  'call-while-team-has-it': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Who answers a call while auto-reply is not on.',
    weDo: 'The own AI, with no skills offered; auto-reply stays.',
  },
  'phone-not-connected': {
    section: 'Own-AI assistant (agent)',
    notShown: 'Whether a call without a wss address or secret counts as a failure in the connection status.',
    weDo: 'It does, and the conversation goes to the team.',
  },
  'call-minutes': {
    section: 'Limits',
    notShown: 'From when to when the minutes of a call are counted.',
    weDo: 'From the answer to hanging up, each one that has begun, and at least one.',
  },
} as const satisfies Record<string, Assumption>;

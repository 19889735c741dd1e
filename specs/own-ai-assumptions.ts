import type { Assumption } from './assumption.ts';

/** Points that the interface leaves open about the own AI in the service, or about the assistant or team in its place. */
export const ownAiAssumptions = {
  'skill-announcement-in-chat': {
    section: 'Skills as tools',
    notShown: 'When an announcement is sent in chat, and how often with several skills.',
    weDo: 'Before the skill runs; an announcement from the AI is sent once, with the first skill that runs, and replaces those of the skills.',
  },
  'skills-and-reply-status': {
    section: 'Agent reply (POST .../agent-replies) status',
    notShown: 'The status of a reply without text that runs skills or contains only a note.',
    weDo: 'The simulated API answers handed_over after a forward, and noop after alerts or a note alone.',
  },
  'skill-pending-approval': {
    section: 'Skills as tools',
    notShown: 'Whether a skill that awaits approval counts towards the limit, and what happens to it.',
    weDo: 'It counts towards skillsPerHourLimit, and the team gets a push notification; nothing else happens.',
  },
  'forward-tried': {
    section: 'Skills as tools',
    notShown: 'Whether a refused forward counts as the one forward of an answer.',
    weDo: 'Only a forward that was tried counts: it ran, awaits approval, was not answered or failed.',
  },
  'skills-offered-when-refused': {
    section: 'Skill (attached to an assistant)',
    notShown: 'Which skills count as allowed right now.',
    weDo: 'The simulated service omits skills that hours, limits, plan, target or recipient forbid; it still offers one that ended in no-answer or failed.',
  },
  'skill-system-turn': {
    section: 'Skills as tools',
    notShown: 'The rest of the system turn, and its form for a skill that ran.',
    weDo: 'The simulated service writes Skill done: [key], Skill waits: [key] (reason) or Skill refused: [key] (reason).',
  },
  'chat-not-connected': {
    section: 'Own-AI chat event: message.received',
    notShown: 'Whether auto-reply changes when a message goes to the team because the address or secret is missing.',
    weDo: 'Neither auto-reply nor the connection status changes; the team gets a push notification for each message.',
  },
  'history-turn-length': {
    section: 'Chat history turn',
    notShown: 'Whether long turns are truncated.',
    weDo: 'The simulated service truncates each to 4000 characters in the history of an event; the transcript of a project contains them in full.',
  },
  'own-ai-text-closed-window': {
    section: 'What the service does',
    notShown: 'What happens to a message from the AI when the WhatsApp window is closed.',
    weDo: 'A notification is sent and the message waits; the status of the reply is sent.',
  },
  'ai-text-note-after-pause': {
    section: 'Own-AI chat event: message.received',
    notShown: 'Whether the note about a message from the AI is repeated when the team replies after a pause.',
    weDo: 'It is added once until auto-reply is on again.',
  },
  'own-assistant': {
    section: 'What the service does',
    notShown: "The replies of the service's own assistant where no own AI answers.",
    weDo: 'In chat, a greeting with a privacy notice at the start, then a fixed answer to each message, and nothing while auto-reply is not on.',
  },
  'channels-without-own-ai': {
    section: 'Own-AI chat event: message.received',
    notShown: 'Who answers SMS, RCS and email.',
    weDo: 'No assistant: the team gets a push notification.',
  },
  'agent-test-duration': {
    section: 'API v1',
    notShown: 'To which channel durationMs, statusCode and error of a test belong when both are tested.',
    weDo: 'To the ping; without a chat address, durationMs is that of the phone. The error is the first one.',
  },
  'call-without-own-ai': {
    section: 'What the service does',
    notShown: 'Who answers a call where no own AI answers the conversation.',
    weDo: 'The caller can leave a message, and the team gets the conversation with a note.',
  },
  'call-while-team-has-it': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Who answers a call while auto-reply is not on.',
    weDo: 'The own AI, with no skills offered; auto-reply does not change.',
  },
  'phone-not-connected': {
    section: 'Own-AI assistant (agent)',
    notShown: 'Whether a call without a wss address or secret counts as a failure in the connection status.',
    weDo: 'It does, and the conversation goes to the team.',
  },
  'call-minutes': {
    section: 'Limits',
    notShown: 'When the billed minutes of a call start and end.',
    weDo: 'From the answer until hanging up, rounded up to whole minutes, at least one.',
  },
} as const satisfies Record<string, Assumption>;

import type { ServiceStatement } from './requirement.ts';

/** Behaviour of the service with auto-reply, own-AI assistants, their replies and their skills. */
export const serviceConversation = {
  'service/auto-reply-off-when-the-team-replies': {
    section: 'Auto-reply of a conversation',
    statement: 'A team member who replies turns auto-reply off.',
  },
  'service/auto-reply-off-when-taken-over': {
    section: 'Auto-reply of a conversation',
    statement: 'A team member who takes the conversation over turns auto-reply off.',
  },
  'service/auto-reply-off-when-switched-off': {
    section: 'Auto-reply of a conversation',
    statement: 'A team member can switch auto-reply off.',
  },
  'service/auto-reply-off-after-a-handover': {
    section: 'Auto-reply of a conversation',
    statement: 'The action handover turns auto-reply off, in a direct answer and in agent-replies.',
  },
  'service/auto-reply-off-quiets-the-assistant': {
    section: 'Auto-reply of a conversation',
    statement: 'While auto-reply is off the assistant of the service sends no replies.',
  },
  'service/auto-reply-paused-by-muting': {
    section: 'Auto-reply of a conversation',
    statement: 'Muting a conversation, for 30 minutes in the app, pauses auto-reply until the time in pausedUntil.',
  },
  'service/auto-reply-on-after-the-pause': {
    section: 'Auto-reply of a conversation',
    statement: 'When the pause is over, auto-reply is on again without any action.',
  },
  'service/auto-reply-on-when-handed-back': {
    section: 'Auto-reply of a conversation',
    statement: 'Handing the conversation back to the service turns auto-reply on.',
  },
  'service/auto-reply-handover-has-nothing-left': {
    section: 'Auto-reply of a conversation',
    statement: 'While auto-reply is not on, the action handover hands nothing over.',
  },
  'service/reply-while-the-team-has-it-is-delivered': {
    section: 'Own-AI chat event: message.received',
    statement: 'A message that the AI sends while the team has the conversation is delivered.',
  },
  'service/reply-while-the-team-has-it-is-noted-once': {
    section: 'Own-AI chat event: message.received',
    statement:
      'The first message of the AI after the team stepped in causes a note that the team sees; later ones cause none.',
  },
  'service/reply-goes-out-where-the-customer-wrote': {
    section: 'Own-AI chat event: message.received',
    statement: 'A reply goes out on the channel on which the customer wrote last.',
  },
  'service/transcript-is-of-the-project': {
    section: 'API v1',
    statement: 'GET /v1/projects/{id}/messages gives the transcript of the project.',
  },
  'service/transcript-of-an-unknown-project-is-404': {
    section: 'Errors',
    statement: 'The transcript of a project that the inbox does not have is answered 404 project_not_found.',
  },
  'service/agents-are-listed': {
    section: 'API v1',
    statement: 'GET /v1/agents lists the own-AI assistants, and GET /v1/agents/{id} returns one of them.',
  },
  'service/agent-has-its-members': {
    section: 'Own-AI assistant (agent)',
    statement:
      'An assistant has its addresses, timeout and voice, hasSecret, the connection status, its skills and both limits.',
  },
  'service/agent-skills-show-opening-hours': {
    section: 'Own-AI assistant (agent)',
    statement: 'Every listed skill of an assistant also has hoursLimited.',
  },
  'service/agent-never-shows-its-secret': {
    section: 'Authentication',
    statement: 'Apart from the answer that creates it, no answer contains the secret of an assistant.',
  },
  'service/agent-change-leaves-the-rest': {
    section: 'API v1',
    statement: 'PATCH of an assistant changes the fields that are sent; what is omitted stays.',
  },
  'service/agent-empty-address-disconnects': {
    section: 'API v1',
    statement: 'An empty chatUrl or voiceUrl disconnects that channel.',
  },
  'service/agent-waiting-time-stays-in-bounds': {
    section: 'Limits',
    statement: 'timeoutSeconds is 10 by default, and what is set is kept within 2 and 30.',
  },
  'service/agent-chat-address-is-https': {
    section: 'Errors',
    statement: 'A chatUrl that is not a public https address is answered 400 invalid_chat_url, and nothing is changed.',
  },
  'service/agent-voice-address-is-wss': {
    section: 'Errors',
    statement: 'A voiceUrl that is not a public wss address is answered 400 invalid_voice_url, and nothing is changed.',
  },
  'service/agent-secret-is-made': {
    section: 'Authentication',
    statement: 'POST to the secret of an assistant returns a new one, which starts with whsec_, in this answer only.',
  },
  'service/agent-secret-replaces-at-once': {
    section: 'Authentication',
    statement: 'From the moment a secret is replaced everything is signed with the new one.',
  },
  'service/agent-test-pings-and-dials': {
    section: 'API v1',
    statement:
      'The test of an assistant sends a signed ping, then opens and closes the phone connection once, and returns success, statusCode, durationMs and error.',
  },
  'service/agent-test-tells-a-failure': {
    section: 'API v1',
    statement:
      'The test of an assistant that does not answer as it should has success false and an error, with status 200.',
  },
  'service/skill-run-is-answered': {
    section: 'API v1',
    statement: 'A skill that is run by its key is answered 200 with key and ok, and a reason where there is one.',
  },
  'service/skill-run-while-not-on-is-409': {
    section: 'Auto-reply of a conversation',
    statement:
      'While auto-reply is not on, running a skill by its key is answered 409 project_not_with_agent, and nothing runs.',
  },
  'service/skill-run-unknown-project-is-404': {
    section: 'Errors',
    statement: 'Running a skill in a project that the inbox does not have is answered 404 project_not_found.',
  },
  'service/skill-run-has-chat-semantics': {
    section: 'API v1',
    statement: 'A forward that is run by its key notifies the team as in chat, whatever the conversation is.',
  },
  'service/skill-is-named-by-key-or-id': {
    section: 'Skills as tools',
    statement: 'executeSkills names skills by key or by id.',
  },
  'service/skill-unknown-is-refused': {
    section: 'Errors',
    statement: 'A skill that the assistant does not have is refused with unknown-skill.',
  },
  'service/skill-outside-hours-is-refused': {
    section: 'Errors',
    statement: 'A skill outside its hours is refused with outside-hours.',
  },
  'service/skill-limit-per-hour-is-refused': {
    section: 'Errors',
    statement: 'A skill beyond skillsPerHourLimit of the conversation is refused with limit-reached.',
  },
  'service/skill-not-allowed-is-refused': {
    section: 'Errors',
    statement: 'A skill that plan or target type do not allow is refused with not-allowed.',
  },
  'service/skill-named-twice-is-refused': {
    section: 'Errors',
    statement: 'A skill that is named twice in one answer runs once; the second time is refused with not-allowed.',
  },
  'service/skill-without-target-is-refused': {
    section: 'Errors',
    statement: 'A forward without a target is refused with no-target.',
  },
  'service/skill-without-recipient-is-refused': {
    section: 'Errors',
    statement: 'An alert without a recipient is refused with no-recipient.',
  },
  'service/skill-without-answer-is-refused': {
    section: 'Errors',
    statement: 'A forward that no one answers is refused with no-answer.',
  },
  'service/skill-second-forward-is-refused': {
    section: 'Limits',
    statement: 'Of the forwards in one answer the first runs; the others are refused with one-forward-per-turn.',
  },
  'service/skill-that-fails-is-reported': {
    section: 'Errors',
    statement: 'A skill that fails is reported with failed.',
  },
  'service/skill-pending-approval-is-ok': {
    section: 'Skills as tools',
    statement: 'A skill that waits for approval is reported with ok true and the reason pending-approval.',
  },
  'service/skill-refused-costs-nothing': {
    section: 'Errors',
    statement: 'A skill that is refused is not charged and does not count towards its limits.',
  },
  'service/skill-limit-of-five': {
    section: 'Limits',
    statement: 'At most five skills of one answer run.',
  },
  'service/skill-forward-in-chat-goes-to-the-team': {
    section: 'Skills as tools',
    statement:
      'A forward in chat notifies the team like a handover, and the AI gets no further events until the conversation is handed back.',
  },
  'service/skill-alert-tells-the-team': {
    section: 'Skills as tools',
    statement:
      'An alert shows the team the note, else the message text, else a line that names conversation and contact.',
  },
  'service/skill-announcement-can-be-set': {
    section: 'Skills as tools',
    statement:
      'An announcement that goes with skills takes the place of the one of the skill, and an empty one suppresses it.',
  },
  'service/chat-replies-are-free': {
    section: 'Limits',
    statement: 'Chat replies of an own AI are free.',
    awaits: 'a bill, which the interface does not show',
  },
  'service/skill-post-processing-costs-as-usual': {
    section: 'Limits',
    statement: 'Skills that run, also those after a conversation, cost as usual.',
    awaits: 'a bill, which the interface does not show',
  },
} as const satisfies Record<`service/${string}`, ServiceStatement>;

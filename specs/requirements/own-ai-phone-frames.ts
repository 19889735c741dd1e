import type { Requirement } from './requirement.ts';

/** Requirements on each frame that the AI sends, judged over every call of a run. */
export const ownAiPhoneFrames = {
  'own-ai-phone/frame-is-json': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement: 'Each frame is one JSON object; any other frame is ignored, and so never heard.',
    remediation:
      'Serialise one object per frame; not bare text, not several objects on separate lines, and not a keep-alive string. Use WebSocket pings to keep a connection alive.',
  },
  'own-ai-phone/frame-type-is-known': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement:
      'The type of each frame is text, action or skill, the three that go to the service. Speech and actions may come without a type and are recognised by their fields.',
    remediation:
      'Write type in lower case, put it into every skill frame, and do not forward custom events or those of the AI provider.',
  },
  'own-ai-phone/frame-has-a-documented-field': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement:
      'A frame with fields has at least one that the interface documents; one with other names, another case or a wrapper has no effect.',
    remediation:
      'Send text, last, action, note and executeSkills under exactly these names and at the top of the frame, not in data, payload or message.',
  },
  'own-ai-phone/frame-is-text': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'advice',
    statement: 'Frames are sent as text, as the interface does not say that binary frames are read.',
    remediation:
      'Hand a string to the send function of your WebSocket library; many send byte arrays as binary frames.',
  },
  'own-ai-phone/frame-within-64-kb': {
    section: 'Limits',
    probe: 'dialogue',
    level: 'must',
    statement: 'A frame has at most 64 KB (65,536 bytes); a larger one ends the connection.',
    remediation: 'Send only the documented fields and stream long speech in pieces; omit traces, sources and audio.',
  },
  'own-ai-phone/frame-within-64000-bytes': {
    section: 'Limits',
    level: 'advice',
    statement: 'A frame has at most 64,000 bytes, since the interface does not define its kilobyte.',
    remediation: 'Keep each frame below 64,000 bytes, or split the speech into several pieces.',
  },
  'own-ai-phone/text-is-a-string': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement: 'The speech of a text frame, in text or in token, is a JSON string.',
    remediation: 'Send the words as one string, not as a list of content parts, an object or a number.',
  },
  'own-ai-phone/text-is-there': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement: 'A text frame has text or token, an empty one where it only closes the answer.',
    remediation:
      'Name the field text (token works too), not content, delta or message, and send an empty string with last true to close.',
  },
  'own-ai-phone/last-is-a-boolean': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement: 'Where a text frame has last, it is true or false.',
    remediation:
      'Send the JSON literals true and false, not the strings "true" and "false", nor 1 and 0; omit last for false.',
  },
  'own-ai-phone/text-within-4000-characters': {
    section: 'Limits',
    unprobed: 'message-shows-it',
    level: 'should',
    statement:
      'The text of a frame has at most 4000 characters, counted as Unicode code points; the handling of a longer one on the phone is not stated.',
    remediation: 'Stream the speech sentence by sentence as text frames, and limit what the AI writes for a caller.',
  },
  'own-ai-phone/action-is-known': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement: 'An action is end or handover; any other is ignored, and the call continues.',
    remediation:
      'Map what your AI decides to exactly one of the two words, in lower case. To stay in the call send no action frame at all.',
  },
  'own-ai-phone/note-within-500-characters': {
    section: 'Limits',
    unprobed: 'message-shows-it',
    level: 'should',
    statement: 'A note of an action or a skill has at most 500 characters; a longer one is cut.',
    remediation: 'Shorten the note to 500 characters yourself, so that what matters to the team is not cut off.',
  },
  'own-ai-phone/members-have-their-types': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement:
      'The text of an action, note and announcement are strings, key is a key or an id, and executeSkills is a list of them.',
    remediation:
      'Send executeSkills as a list also for a single skill, each entry a key (string) or an id (integer), or key for one; the other fields are plain strings.',
  },
  'own-ai-phone/no-null-members': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'advice',
    statement: 'Fields of a frame that have no value are omitted rather than null.',
    remediation: 'Configure the serialiser to skip nulls; the interface does not say that they are accepted.',
  },
  'own-ai-phone/skill-frame-names-a-skill': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement: 'A skill frame names at least one skill, in executeSkills or in key.',
    remediation:
      'Send a skill frame only when the AI has chosen a skill, with its key or id in executeSkills; not under name, tool or skill.',
  },
  'own-ai-phone/at-most-five-skills': {
    section: 'Limits',
    unprobed: 'ai-decides',
    level: 'must',
    statement: 'All frames of one answer together name at most five skills.',
    remediation: 'Cut the list of requested skills at five before sending, the most important first.',
  },
  'own-ai-phone/at-most-one-forward': {
    section: 'Limits',
    unprobed: 'ai-decides',
    level: 'must',
    statement: 'All frames of one answer together name at most one skill of the kind forward.',
    remediation: 'Look up the kind of each requested skill in the list of session.started and keep only one forward.',
  },
  'own-ai-phone/names-known-skills': {
    section: 'Skills as tools',
    unprobed: 'ai-decides',
    level: 'should',
    statement: 'Each skill that is named, by key or id, is a skill of the assistant.',
    remediation:
      'Take keys and ids from skills of session.started rather than from the AI or the configuration, and drop those that are not in it.',
  },
  'own-ai-phone/names-only-offered-skills': {
    section: 'Skill (attached to an assistant)',
    unprobed: 'ai-decides',
    level: 'should',
    statement: 'Each skill that is named was offered in the session.started of its call.',
    remediation:
      'Give the AI only the skills of this call as tools; the list can change from call to call with hours and limits.',
  },
  'own-ai-phone/names-each-skill-once': {
    section: 'Errors',
    unprobed: 'ai-decides',
    level: 'should',
    statement:
      'An answer does not name the same skill twice, neither by key nor by id, nor in two frames, unless it was refused in between.',
    remediation: 'Resolve keys and ids to skills and remove duplicates before sending.',
  },
} as const satisfies Record<`own-ai-phone/${string}`, Requirement>;

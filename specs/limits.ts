/**
 * Every number that the interface states. Nothing else in the project repeats one: code imports it from here, and the
 * schemas are held to it by a test.
 */
export const limits = {
  /** Requests per minute and API key; agent replies count. Section: Limits. */
  apiRequestsPerMinute: 60,
  /** Hours during which the same Idempotency-Key identifies the same request. Section: Limits. */
  idempotencyKeyHours: 24,
  /** Milliseconds until the answer to a lookup must be complete, or a 202 given. Section: Limits. */
  crmLookupAnswerMs: 2000,
  /** Milliseconds after a 202 in which the callback must arrive. Section: Limits. */
  crmCallbackWithinMs: 300_000,
  /** POST requests to one callbackUrl. Section: Limits. */
  crmCallbackPosts: 1,
  /** Times that an event is sent again after a slow or failed answer. Section: CRM webhook answer. */
  crmRedeliveries: 1,
  /** Milliseconds, roughly, from the end of a call to its FinishedCall event. Section: CRM webhook events. */
  crmFinishedCallDelayMs: 60_000,
  /** Unicode code points of crmAiInfo, of contact and project. Section: Limits. */
  crmAiInfoCharacters: 5000,
  /** Seconds by which a signature's t may differ from the receiver's clock, either way. Section: Limits. */
  signatureToleranceSeconds: 300,
  /** Seconds that an own-AI endpoint has for its answer, when nothing is configured. Section: Limits. */
  ownAiTimeoutSecondsDefault: 10,
  /** Seconds; the least that timeoutSeconds can be. Section: Limits. */
  ownAiTimeoutSecondsMin: 2,
  /** Seconds; the most that timeoutSeconds can be. Section: Limits. */
  ownAiTimeoutSecondsMax: 30,
  /** Unicode code points of an own-AI text. Section: Limits. */
  ownAiTextCharacters: 4000,
  /** Unicode code points of an own-AI note; a longer one is cut. Section: Limits. */
  ownAiNoteCharacters: 500,
  /** Bytes of an own-AI chat answer's body. Section: Limits. */
  ownAiAnswerBytes: 65_536,
  /** Bytes of one phone frame. Section: Limits. */
  phoneFrameBytes: 65_536,
  /** Turns of history in message.received. Section: Limits. */
  historyTurns: 30,
  /** Milliseconds within which the phone connection must be established. Section: Limits. */
  phoneSetupMs: 5000,
  /** Skills in executeSkills of one answer. Section: Limits. */
  executeSkillsPerAnswer: 5,
  /** Forward skills in one answer. Section: Limits. */
  forwardsPerAnswer: 1,
  /** Credits for each started minute of a team's call from app to app; the simulated service has none. Section: Limits. */
  appCallCreditsPerStartedMinute: 3,
  /** Minutes before an appointment at which reminders go out by default: 24 hours and 30 minutes. Section: Limits. */
  reminderMinutesBefore: [1440, 30],
  /** Hours after the customer's last message in which WhatsApp takes free text. Section: What the service does. */
  whatsAppWindowHours: 24,
  /** Minutes of a pause that the app offers. Section: Auto-reply of a conversation. */
  autoReplyPauseMinutes: 30,
} as const;

/**
 * Bytes that are within 64 KB even where a kilobyte is meant to be 1,000 bytes: up to the limit, more is only reported.
 */
export const smallKilobytes = 64_000;

/** Revision of the own-AI protocol, as in X-Svc-Agent-Protocol and `protocol`. Section: Versioning. */
export const protocolRevision = '2026-10-11';

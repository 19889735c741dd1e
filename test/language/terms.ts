/** A term that the house style replaces (plain technical English), and what to write instead. */
export interface ReplacedTerm {
  /** Finds the term in prose: messages, comments, docs. */
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Words that no message, comment or page uses. Each is written as a pattern of whole words. */
export const replacedTerms: readonly ReplacedTerm[] = [
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, instead: 'fix; remediation as a field' },
  {
    pattern: /\b(?:does|do|did) not hold\b|\bholds(?:\.|,|;| for | here| all | what )/gi,
    instead: 'passes, is met; fails',
  },
  { pattern: /\btold\b|\btell(?:s|ing)?\b(?! (?:me|us|the team)\b)/gi, instead: 'report, show, detect, identify' },
  { pattern: /\b(?:lets?|letting) (?:it |them |events? )?in\b/gi, instead: 'accept' },
  {
    pattern:
      /\b(?:is|are|was|were) taken\b(?! (?:over|off|by the team))|\btakes? (?:an?|the|every|any) (?:event|delivery|request|message|body|frame)\b/gi,
    instead: 'accepted, handled',
  },
  {
    pattern:
      /(?<!\b(?:there|which) )\bis no (?!longer|more\b|one\b|other|such|need|use\b|way\b|reason|doubt|place)[a-z]/gi,
    instead: 'is not a',
  },
  { pattern: /\b(?<!team )members?\b(?! of (?:the|a) team|-)/gi, instead: 'field' },
  {
    // "The text of a message" and "a text frame" are fine: only the countable noun is replaced.
    pattern: /\b(?:a|each|every|one|two|another) text\b(?! (?:frame|field|message|file|box|or binary)s?\b)|\btexts\b/gi,
    instead: 'string; message text',
  },
  { pattern: /\bgo(?:es|ing)? on\b|\bwent on\b/gi, instead: 'continue' },
  { pattern: /\b(?:com(?:e|es|ing)|came|br(?:ing|ings|inging|ought)) about\b/gi, instead: 'is established; reproduce' },
  { pattern: /\blook(?:s|ed|ing)? at\b|\bseen to\b/gi, instead: 'check, inspect, observed' },
  { pattern: /\b(?:left|leave|leaves|leaving|taken|takes?|taking) out\b/gi, instead: 'omit, redact, skip, exclude' },
  { pattern: /\bpatience\b/gi, instead: 'timeout' },
  { pattern: /\bfolders?\b/gi, instead: 'directory' },
  { pattern: /\b(?:right|wrong) signatures?\b|\bmade-up\b|\brubbish\b/gi, instead: 'valid, invalid, forged, garbage' },
  {
    pattern: /\bas (?:it is|they are)\b(?! (?:in|on|at|sent|now)\b)|\bof (?:its|their) own\b|\bof ours\b/gi,
    instead: 'unchanged; its own, our',
  },
  { pattern: /\b(?:whoever|somebody|nobody|anybody)\b/gi, instead: 'the client, the user, no one' },
  { pattern: /\bbesides?\b/gi, instead: 'alongside, in addition to' },
  { pattern: /\b(?:deeds?|desks?|facets?)\b/gi, instead: 'request or effect, prober, aspect' },
  {
    // Names of flags, options and methods are infinitives in -ize.
    pattern: /(?<![-`"'.\w])(?:anonym|organ|recogn|serial)iz(?:e[sd]|ing|ations?)\b(?!\()/gi,
    instead: '-ise, -isation',
  },
  { pattern: /\bstands? (?:in|on|there|for|behind|before|at|beside|alone)\b/gi, instead: 'is, appears, is listed' },
];

/** Words that no exported name contains, as patterns of the words of a name in lower case. */
export const replacedNames: readonly ReplacedTerm[] = [
  { pattern: /\bmend(?:s|ed|ing)?\b/, instead: 'fix, remediation' },
  { pattern: /\btold\b/, instead: 'reported, shown, detected' },
  { pattern: /\bdesks?\b/, instead: 'prober' },
  { pattern: /\bfacets?\b/, instead: 'aspect' },
  { pattern: /\bcoats?\b/, instead: 'aspect' },
  { pattern: /\bstandings?\b/, instead: 'gate status' },
  { pattern: /\bdeeds?\b/, instead: 'request, effect' },
  { pattern: /\brests\b/, instead: 'open points' },
  { pattern: /\bfolders?\b/, instead: 'directory' },
  { pattern: /\bpatience\b/, instead: 'timeout' },
  { pattern: /\bwords$/, instead: 'format…, describe…, label…' },
];

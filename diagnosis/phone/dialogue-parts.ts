/** Parts of a dialogue test in addition to plain sentences; each costs a few calls. */
export type DialoguePart =
  'session' | 'frames' | 'sentences' | 'event' | 'stimuli' | 'interrupt' | 'several' | 'test' | 'broken';

/** The default parts, without calls that may crash the endpoint; several calls first, since one stays quiet after them. */
const usual: readonly DialoguePart[] = ['several', 'session', 'frames', 'sentences', 'stimuli', 'interrupt', 'test'];

/** Parts for failed requirements; plain calls judge those without any. */
const partsOf: Readonly<Record<string, readonly DialoguePart[]>> = {
  'answers-a-prompt': [],
  'answers-the-first-prompt': [],
  'speaks-to-the-caller': [],
  'first-piece-within-timeout': [],
  'closes-each-answer': [],
  'answers-later-prompts': [],
  'leaves-the-greeting-to-the-service': [],
  'answers-in-each-language': ['session'],
  'accepts-call-without-skills': ['session'],
  'accepts-any-call': ['event', 'session'],
  'accepts-extreme-call-values': ['event', 'session'],
  'accepts-later-protocol-revision': ['session'],
  'goes-on-after-failed-takeover': ['session'],
  'ignores-unknown-members': ['event', 'session', 'frames'],
  'ignores-unknown-values': ['event', 'session', 'frames'],
  'ignores-unknown-frames': ['frames'],
  'takes-dtmf': ['frames'],
  'takes-skill-results': ['frames'],
  'goes-on-after-refused-skill': ['frames', 'stimuli'],
  'survives-any-sentence': ['event', 'sentences'],
  'takes-a-prompt-during-an-answer': ['interrupt'],
  'stops-at-interrupt': ['interrupt'],
  'answers-after-interrupt': ['interrupt'],
  'stops-at-session-ended': ['interrupt'],
  'keeps-the-call-open': ['frames', 'session', 'interrupt', 'stimuli'],
  'holds-any-dialogue': ['frames', 'interrupt'],
  'keeps-calls-apart': ['several'],
  'closes-with-the-service': ['frames'],
  'takes-a-connection-test': ['test'],
  'survives-a-broken-call': ['test', 'broken'],
};

/** Parts of a diagnosis, cheapest first: for one requirement, or the default ones. */
export function partsFor(requirement: string | undefined): readonly DialoguePart[] {
  if (requirement === undefined) return usual;
  // Everything else on this surface is about frames that the AI sends at one sentence or another.
  return partsOf[requirement.replace(/^own-ai-phone\//, '')] ?? ['stimuli'];
}

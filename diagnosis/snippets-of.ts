import type { DiagnosedSurface } from '../specs/generated/types.ts';
import type { Cause, SnippetTopic } from './cause.ts';

type BySurface = Readonly<Partial<Record<DiagnosedSurface, SnippetTopic>>>;

/**
 * What shows a topic on each surface. Surfaces differ in what is signed, in what has to be answered and in who needs a
 * key, so code of another surface would say the opposite of what is right: where nothing fits, nothing is shown.
 */
const bySurface: Readonly<Record<SnippetTopic, BySurface>> = {
  'verify-signature': {
    'own-ai-chat': 'verify-signature',
    'api-webhooks': 'verify-signature',
    'own-ai-phone': 'verify-call',
  },
  'verify-call': { 'own-ai-phone': 'verify-call' },
  'check-token': { 'crm-webhook': 'check-token' },
  'answer-in-time': { 'crm-webhook': 'answer-in-time', 'own-ai-chat': 'reply-later' },
  'call-back-once': { 'crm-webhook': 'call-back-once', 'own-ai-chat': 'reply-later' },
  'reply-later': { 'own-ai-chat': 'reply-later' },
  deduplicate: { 'crm-webhook': 'call-back-once', 'own-ai-chat': 'reply-later', 'api-webhooks': 'deduplicate' },
  'accept-any-event': { 'crm-webhook': 'accept-any-event', 'own-ai-chat': 'answer-json' },
  'answer-json': { 'crm-webhook': 'accept-any-event', 'own-ai-chat': 'answer-json' },
  'stream-phone-answers': { 'own-ai-phone': 'stream-phone-answers' },
};

/** The topics of code that mend a cause, each with the surfaces of the cause that it is for; none where no code is. */
export function snippetsOf({
  snippet,
  surfaces,
}: Pick<Cause, 'snippet' | 'surfaces'>): Map<SnippetTopic, DiagnosedSurface[]> {
  const shown = new Map<SnippetTopic, DiagnosedSurface[]>();
  if (snippet === undefined) return shown;
  for (const surface of surfaces) {
    const topic = bySurface[snippet][surface];
    if (topic !== undefined) shown.set(topic, [...(shown.get(topic) ?? []), surface]);
  }
  return shown;
}

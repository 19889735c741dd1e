import type { DiagnosedSurface } from '../specs/generated/types.ts';
import type { Cause, SnippetTopic } from './cause.ts';

type BySurface = Readonly<Partial<Record<DiagnosedSurface, SnippetTopic>>>;

/**
 * Snippet for each topic and surface. Surfaces differ in the signed content, the required answer and the use of API
 * keys, so a snippet for another surface would be wrong: a surface without a matching snippet has none.
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

/** Returns the snippet topics that fix a cause, each with its surfaces. Empty if there is no snippet. */
export function selectSnippets({
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

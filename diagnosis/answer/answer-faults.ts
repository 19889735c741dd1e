import type { Answer } from '../../harness/wire/observation.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import { limits } from '../../specs/limits.ts';
import type { AnswerFault } from './answer-fault.ts';
import { chatFaults, type AnsweredMessage } from './chat-faults.ts';
import { crmFaults } from './crm-faults.ts';
import { readObject } from './read-object.ts';

/** Statuses that the interface lists for an answer. */
const listed: Readonly<Record<DiagnosedSurface, readonly number[]>> = {
  'own-ai-chat': [200, 202, 204],
  'crm-webhook': [200, 202, 204],
  'api-webhooks': [200],
  'own-ai-phone': [],
};

/**
 * Finds all faults of one answer, most severe first. Empty for a valid answer, for one without a body, and for any that is
 * not a success, which other probes judge.
 */
export function answerFaults(surface: DiagnosedSurface, answer: Answer, message: AnsweredMessage): AnswerFault[] {
  if (answer.outcome === 'malformed' && answer.isUndecodable) {
    return [{ id: 'answer/wrong-coding', summary: `The answer cannot be decoded: ${answer.detail}.` }];
  }
  const { status } = answer as { status?: number };
  if (status === undefined || status < 200 || status > 299) return [];
  if (answer.outcome === 'closed') {
    return [
      {
        id: 'answer/incomplete',
        summary: `The connection ends after status ${status}, before the answer is complete.`,
      },
    ];
  }
  if (answer.outcome === 'no-answer') {
    const seconds = answer.afterMs / 1000;
    return [
      { id: 'answer/never-ends', summary: `Status ${status} arrives, but the body does not end within ${seconds} s.` },
    ];
  }
  if (answer.outcome !== 'answered') return [];
  if (!listed[surface].includes(status)) {
    const expected = listed[surface].join(', ').replace(/, (\d+)$/, ' and $1');
    return [
      {
        id: 'answer/unlisted-status',
        summary: `The status is ${status}; ${expected} ${surface === 'api-webhooks' ? 'is' : 'are'} listed.`,
      },
    ];
  }
  if (surface === 'api-webhooks' || status === 204 || answer.bodyBytes === 0) return [];
  if (status === 202) return lost(surface, answer.body, message);
  if (surface === 'own-ai-chat' && answer.bodyBytes > limits.ownAiAnswerBytes) {
    return [
      {
        id: 'answer/too-large',
        summary: `The body has ${answer.bodyBytes} bytes; ${limits.ownAiAnswerBytes} are allowed.`,
      },
    ];
  }
  // Only the beginning of a truncated body is known.
  return answer.truncated ? [] : bodyFaults(surface, answer.body, message);
}

/** Finds the faults in the body of a 200 answer, of a callback or of a later reply. */
export function bodyFaults(surface: DiagnosedSurface, body: Uint8Array, message: AnsweredMessage): AnswerFault[] {
  const read = readObject(body);
  if ('fault' in read) return [read.fault];
  return surface === 'crm-webhook' ? crmFaults(read.object, message.event) : chatFaults(read.object, message);
}

/** Reports the body of a 202, which is arbitrary, only if it belongs in a 200. */
function lost(surface: DiagnosedSurface, body: Uint8Array, message: AnsweredMessage): AnswerFault[] {
  const read = readObject(body);
  if ('fault' in read) return [];
  const { text, action, executeSkills, requestContactUpdate, requestProjectUpdate } = read.object;
  const says =
    surface === 'crm-webhook'
      ? (requestContactUpdate === true || requestProjectUpdate === true) &&
        crmFaults(read.object, message.event).length === 0
      : (typeof text === 'string' && text !== '') ||
        action === 'handover' ||
        action === 'end' ||
        (Array.isArray(executeSkills) && executeSkills.length > 0);
  return says
    ? [{ id: 'answer/lost-in-status', summary: 'The answer is in the body of a 202, which the service ignores.' }]
    : [];
}

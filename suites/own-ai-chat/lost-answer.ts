import type { Observation } from '../../harness/wire/observation.ts';
import { jsonObjectOf } from '../json-object.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';

/** The part of an answer that the service does not read. */
export function lostAnswer({ answer }: Pick<Observation, 'answer'>): string | undefined {
  if (answer.outcome !== 'answered' || !isSuccess(answer.status)) return undefined;
  const said = jsonObjectOf(answer.body);
  if (!said) {
    const announced =
      answer.status === 204 &&
      answer.headers.some(([name, value]) => /^content-length$/i.test(name) && Number(value) > 0);
    return announced ? 'status 204 with a body announced' : undefined;
  }
  const { text, action, executeSkills } = said;
  const says =
    (typeof text === 'string' && text !== '') ||
    (typeof action === 'string' && action !== 'none') ||
    (Array.isArray(executeSkills) && executeSkills.length > 0);
  return says ? `status ${answer.status} with ${JSON.stringify({ text, action, executeSkills })}` : undefined;
}

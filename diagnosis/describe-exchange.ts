import type { Answered, CallObservation, Observation } from '../harness/wire/observation.ts';
import { isConnected } from '../harness/wire/upgrade-answer.ts';

/** Quoted characters of the body of a refusal: a sentence, or the beginning of a page. */
const quotedCharacters = 160;

/** Describes a request and its answer in one sentence, which begins with `what`. */
export function describeExchange(
  what: string,
  { answer, times: { connectMs, totalMs } }: Observation | CallObservation,
): string {
  const connected = connectMs === null ? '' : `, ${Math.round(connectMs)} ms of it to connect`;
  switch (answer.outcome) {
    case 'answered':
      return isConnected(answer)
        ? `${what} was accepted in ${Math.round(totalMs ?? 0)} ms${connected}.`
        : `${what} was answered with status ${answer.status}${totalMs === null ? '' : ` in ${Math.round(totalMs)} ms`}${quoteRefusal(answer)}.`;
    case 'no-answer':
      return `${what} got no complete answer within ${Math.round(answer.afterMs / 100) / 10} s.`;
    case 'closed':
      return `The connection was closed before ${lower(what)} was answered: ${answer.detail}.`;
    case 'malformed':
      return `The answer to ${lower(what)} could not be parsed: ${answer.detail}.`;
    case 'unreachable':
      return `No connection could be established for ${lower(what)}: ${answer.detail}.`;
  }
}

/** Quotes the body of a refusal, which a developer can find in the logs. */
function quoteRefusal({ status, body }: Answered): string {
  if (status < 400) return '';
  const text = Buffer.from(body)
    .subarray(0, 4 * quotedCharacters)
    .toString('utf8')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (text === '') return ', with an empty body';
  const characters = [...text];
  const shown = characters.slice(0, quotedCharacters).join('');
  return `: ${JSON.stringify(characters.length > quotedCharacters ? `${shown}…` : shown)}`;
}

function lower(what: string): string {
  return what.slice(0, 1).toLowerCase() + what.slice(1);
}

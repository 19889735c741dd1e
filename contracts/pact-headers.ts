import { parseJson } from '../harness/checks/json.ts';
import type { Answered } from '../harness/wire/observation.ts';

/**
 * Headers that belong to the connection of the answer, or to the encoding that was removed from its body; and the
 * address of a redirect, which the verifier would follow instead of comparing the status.
 */
const ofTheConnection =
  /^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding|trailer|upgrade|proxy-.*|date|location)$/i;

/**
 * The headers of an answer for Pact's verifier. The interface prescribes no content type, and Pact does not compare
 * bodies of different types: JSON is passed on as JSON, whatever its declared type.
 */
export function pactHeaders({ headers, body }: Answered): Answered['headers'] {
  const kept = headers.filter(([name]) => !ofTheConnection.test(name));
  if ('error' in parseJson(body)) return kept;
  return [...kept.filter(([name]) => name.toLowerCase() !== 'content-type'), ['content-type', 'application/json']];
}

import { parseJson } from '../harness/checks/json.ts';
import type { Answered } from '../harness/wire/observation.ts';

/**
 * Headers that belong to the connection the answer came by, or to the coding that its body no longer has; and the address
 * of a redirect, which the verifier would follow instead of comparing the status.
 */
const ofTheConnection =
  /^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding|trailer|upgrade|proxy-.*|date|location)$/i;

/**
 * The headers of an answer as Pact's verifier gets them. The interface prescribes no content type, and Pact compares none
 * with the other: JSON is handed on as JSON, whatever it was called.
 */
export function headersForPact({ headers, body }: Answered): Answered['headers'] {
  const kept = headers.filter(([name]) => !ofTheConnection.test(name));
  if ('error' in parseJson(body)) return kept;
  return [...kept.filter(([name]) => name.toLowerCase() !== 'content-type'), ['content-type', 'application/json']];
}

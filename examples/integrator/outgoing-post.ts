/** No answer in this time counts as a failure: the service must not be able to hold our sockets forever. */
export const POST_TIMEOUT_MS = 10_000;

export interface OutgoingPost {
  url: string;
  body: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
  /** Ends the attempt early, for shutting down. */
  signal?: AbortSignal;
}

/**
 * Sends one POST with a JSON body and resolves to the status of the answer.
 *
 * There is no second attempt, on purpose. A CRM callback is allowed exactly once, and an agent reply has no idempotency
 * key; after a timeout it is unknown whether the first attempt arrived, so a repetition could do everything twice.
 *
 * @throws when no answer came: unreachable, too slow, or not an address at all
 */
export async function postOnce({
  url,
  body,
  headers = {},
  timeoutMs = POST_TIMEOUT_MS,
  signal,
}: OutgoingPost): Promise<number> {
  const timeLimit = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    // A redirect would carry the API key to an unsigned address.
    redirect: 'manual',
    signal: signal === undefined ? timeLimit : AbortSignal.any([timeLimit, signal]),
  });
  await response.body?.cancel();
  return response.status;
}

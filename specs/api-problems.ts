/** Codes of API errors, carried in `title` of problem details (interface: Errors). */
export const problems = {
  invalid_request: { status: 400, named: false, detail: 'The request is not valid.' },
  invalid_chat_url: { status: 400, named: true, detail: 'chatUrl must be a publicly reachable https address.' },
  invalid_voice_url: { status: 400, named: true, detail: 'voiceUrl must be a publicly reachable wss address.' },
  invalid_reply: { status: 400, named: true, detail: 'The reply has an unknown action or too much text.' },
  unauthorized: { status: 401, named: false, detail: 'The API key is missing or unknown.' },
  consent_missing: { status: 403, named: false, detail: 'The contact has not given marketing consent.' },
  not_found: { status: 404, named: false, detail: 'There is no resource at this address.' },
  project_not_found: { status: 404, named: true, detail: 'No such project in this inbox.' },
  method_not_allowed: { status: 405, named: false, detail: 'This address does not support the method.' },
  project_not_with_agent: {
    status: 409,
    named: true,
    detail: 'No own-AI assistant answers the project; nothing was done. Drop the answer.',
  },
  idempotency_key_in_use: {
    status: 409,
    named: false,
    detail: 'A request with this Idempotency-Key is still being processed.',
  },
  request_timeout: { status: 408, named: false, detail: 'The request did not arrive in time.' },
  payload_too_large: { status: 413, named: false, detail: 'The body is too large.' },
  unsupported_media_type: { status: 415, named: false, detail: 'The media type of a body must be application/json.' },
  idempotency_key_reused: {
    status: 422,
    named: false,
    detail: 'This Idempotency-Key was used for another request within 24 hours.',
  },
  not_deliverable: {
    status: 422,
    named: true,
    detail: 'The text could not be delivered; the conversation went to the team.',
  },
  rate_limited: { status: 429, named: false, detail: 'Too many requests with this API key within a minute.' },
  headers_too_large: { status: 431, named: false, detail: 'The headers are too large.' },
  internal_error: { status: 500, named: false, detail: 'The service failed.' },
  unavailable: { status: 503, named: false, detail: 'The service is unavailable at the moment; nothing was done.' },
} as const satisfies Record<string, { status: number; named: boolean; detail: string }>;

/** Code of an API error; `named` in {@link problems} is true when the interface defines it. */
export type ProblemCode = keyof typeof problems;

/** Errors of every operation; a request body adds `invalid_request`, `payload_too_large`, `unsupported_media_type`. */
export const commonProblems = ['unauthorized', 'rate_limited'] as const satisfies readonly ProblemCode[];

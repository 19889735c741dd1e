import type { PactV4 } from '@pact-foundation/pact';
import type { ExpectedStatus, HttpInteraction, Matched } from '../generators/contracts/contract.ts';

type Unconfigured = ReturnType<PactV4['addInteraction']>;
type Requested = ReturnType<Unconfigured['withRequest']>;
type RequestBuilder = Parameters<NonNullable<Parameters<Unconfigured['withRequest']>[2]>>[0];

/**
 * Adds an interaction to Pact; its `executeTest` starts the mock server, and writes the file once the request has
 * matched.
 */
export function addHttpInteraction(
  pact: Pick<PactV4, 'addInteraction'>,
  interaction: HttpInteraction,
): ReturnType<Requested['willRespondWith']> {
  const { description, states, request, response } = interaction;
  const unconfigured = pact.addInteraction().uponReceiving(description);
  for (const { name, params } of states) {
    unconfigured.given(name, params as Parameters<Unconfigured['given']>[1]);
  }
  for (const [key, value] of Object.entries(commentsOf(interaction))) unconfigured.comment({ key, value });
  return unconfigured
    .withRequest(request.method, request.path as string, (builder) => {
      if (request.query) builder.query(request.query as Parameters<RequestBuilder['query']>[0]);
      if (request.headers) builder.headers(request.headers as Parameters<RequestBuilder['headers']>[0]);
      if (request.body !== undefined) builder.jsonBody(request.body);
    })
    .willRespondWith(statusOf(response.status), (builder) => {
      if (response.headers) builder.headers(response.headers as Parameters<RequestBuilder['headers']>[0]);
      if (response.body !== undefined) builder.jsonBody(response.body);
    });
}

/** The data that a verdict needs in addition to Pact's own fields, as strings: Pact parses those that are JSON. */
function commentsOf({ requirement, otherwise, shows, later, credentials }: HttpInteraction): Record<string, string> {
  return {
    requirement,
    ...(otherwise && { otherwise: JSON.stringify(otherwise) }),
    ...(shows && { shows: JSON.stringify(shows) }),
    ...(later && { later: 'true' }),
    ...(credentials && { credentials }),
  };
}

/** The status, or the matcher of several. */
function statusOf(status: ExpectedStatus): Parameters<Requested['willRespondWith']>[0] {
  if (typeof status === 'number') return status;
  const matcher: Matched = { 'pact:matcher:type': 'statusCode', status: status.of, value: status.example };
  return matcher as unknown as Parameters<Requested['willRespondWith']>[0];
}

import type { Exchange, Headers } from '../../../specs/types.ts';

/** The exchange as `webRequest` and `webResponse` of a SARIF result (SARIF 2.1.0, 3.46 and 3.47). */
export function sarifExchange({ request, response, label }: Exchange): Record<string, unknown> {
  return {
    webRequest: {
      protocol: /^wss?:/.test(request.url) ? 'websocket' : 'http',
      method: request.method,
      target: request.url,
      headers: headerObject(request.headers),
      ...(request.body !== '' && { body: { text: request.body } }),
      properties: { label },
    },
    webResponse: response
      ? {
          statusCode: response.status,
          headers: headerObject(response.headers),
          ...(response.body !== '' && { body: { text: response.body } }),
        }
      : { noResponseReceived: true },
  };
}

// Several fields of one name are one list with commas between (RFC 9110, 5.3).
function headerObject(headers: Headers): Record<string, string> {
  const byName = Map.groupBy(headers, ([name = '']) => name.toLowerCase());
  return Object.fromEntries([...byName].map(([name, all]) => [name, all.map(([, value]) => value).join(', ')]));
}

import type { IncomingHttpHeaders } from 'node:http';
import type { CrmSeams } from './crm.ts';
import type { Handler, Upgrade } from './wire.ts';

/**
 * The endpoint with the names of another brand: it knows `X-Acme-…` and `acme…Id` only, and
 * writes `acme…Id`. The seams behind it keep the names of the document.
 */
export function branded(brand: string): {
  handler: (handle: Handler) => Handler;
  upgrade: (upgrade: Upgrade) => Upgrade;
  compose: (compose: CrmSeams['compose']) => CrmSeams['compose'];
  key: (key: string) => string;
} {
  const own = brand.toLowerCase();
  const headersOf = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
    Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !name.startsWith('x-svc-'))
        .map(([name, value]) => [name.replace(`x-${own}-`, 'x-svc-'), value]),
    );
  const read = (text: string) =>
    text
      .replace(/"svc(Contact|Project)Id":/g, '"unknown$1Id":')
      .replaceAll(`"${own}ContactId":`, '"svcContactId":')
      .replaceAll(`"${own}ProjectId":`, '"svcProjectId":');
  const written = (text: string) => text.replace(/"svc(Contact|Project)Id":/g, `"${own}$1Id":`);
  return {
    handler: (handle) => async (request) => {
      const body = Buffer.from(read(request.body.toString('latin1')), 'latin1');
      const answer = await handle({ ...request, headers: headersOf(request.headers), body });
      if (typeof answer === 'string' || typeof answer.body !== 'string') return answer;
      return { ...answer, body: written(answer.body) };
    },
    upgrade: (upgrade) => (request, socket, head) => {
      request.headers = headersOf(request.headers);
      return upgrade(request, socket, head);
    },
    compose: (compose) => (parts, event) =>
      JSON.parse(written(JSON.stringify(compose(parts, event)))) as Record<string, unknown>,
    key: (key) => key.replace(/^svc_/, `${own}_`),
  };
}

import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';
import type { ServiceInbox } from '../service-inbox.ts';
import { answerProblem, problemType } from './problems.ts';

/** Adds the addresses for late answers of the CRM (interface: CRM webhook). Their bodies are judged elsewhere. */
export function addCallbacks(app: FastifyInstance, inboxes: readonly ServiceInbox[]): void {
  app.route<{ Params: { token: string } }>({
    method: 'POST',
    url: '/callbacks/:token',
    config: { isBeside: 'callback' },
    handler: ({ params, url, rawBody }, reply) => {
      const at = url.indexOf('?');
      const search = at < 0 ? '' : url.slice(at);
      for (const { crmWebhook } of inboxes) {
        const taken = crmWebhook.handleCallback(params.token, search, rawBody ?? new Uint8Array());
        // Only the inbox that issued the address knows it.
        if (!taken) continue;
        const { status, body } = taken;
        void reply.code(status).type(status >= 400 ? problemType : 'application/json');
        void reply.send(body === undefined ? '' : JSON.stringify(body));
        return;
      }
      answerProblem(reply, new Problem('not_found'));
    },
  });
}

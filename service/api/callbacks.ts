import type { FastifyInstance } from 'fastify';
import type { ServiceInbox } from '../service-inbox.ts';
import { problemType } from './problems.ts';

/** Adds the addresses for late answers of the CRM (interface: CRM webhook). Whatever is posted there is judged elsewhere. */
export function addCallbacks(app: FastifyInstance, inboxes: readonly ServiceInbox[]): void {
  app.route<{ Params: { token: string } }>({
    method: 'POST',
    url: '/callbacks/:token',
    config: { isBeside: true },
    handler: ({ params, url, rawBody }, reply) => {
      const at = url.indexOf('?');
      const search = at < 0 ? '' : url.slice(at);
      const answers = inboxes.map(
        ({ crmWebhook }) =>
          () =>
            crmWebhook.takeCallback(params.token, search, rawBody ?? new Uint8Array()),
      );
      // The inbox that gave the address out is the one that knows it.
      let taken = answers[0]?.() ?? { status: 404 };
      for (const answer of answers.slice(1)) if (taken.status === 404) taken = answer();
      const { status, body } = taken;
      void reply.code(status).type(status >= 400 ? problemType : 'application/json');
      void reply.send(body === undefined ? '' : JSON.stringify(body));
    },
  });
}

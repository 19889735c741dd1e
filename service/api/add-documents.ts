import { createHash } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Brand } from '../../specs/brand.ts';
import { installCommand, loadOptional } from '../../specs/optional-packages.ts';
import { Problem } from '../problem.ts';
import { answerProblem } from './problems.ts';

/** The API's own documents: public, without a key (interface: Versioning). */
export const documentPaths = ['/v1/openapi.json', '/v1/changelog', '/v1/docs', '/v1/docs/*'] as const;

/** Adds the documents. Their sources are loaded on the first request, not when the service starts. */
export function addDocuments(app: FastifyInstance, baseUrl: () => string, brand: Brand): void {
  const [openApi, changelog, docs, docsParts] = documentPaths;
  const beside = { config: { isBeside: 'document' } } as const;
  let reference: Promise<FastifyInstance> | undefined;

  app.get(openApi, beside, async (_, reply) => {
    const { openApiDocument } = await import('../../specs/open-api-document.ts');
    return reply.type('application/json').send(brand.text(JSON.stringify(openApiDocument({ serverUrl: baseUrl() }))));
  });
  app.get(changelog, beside, async (_, reply) => {
    const { changelog: entries } = await import('../../specs/changelog.ts');
    return reply.type('application/json').send(brand.text(JSON.stringify(entries)));
  });
  // Relative, so that it also works below a path of a proxy.
  app.get(docs, beside, (_, reply) => reply.code(302).header('location', 'docs/').send());
  app.get(docsParts, beside, async (request: FastifyRequest, reply: FastifyReply) => {
    const page = await (reference ??= openReference(docs));
    reply.hijack();
    page.routing(request.raw, reply.raw);
  });
  // Browsers request it along with the reference.
  app.get('/favicon.ico', beside, (_, reply) => void reply.code(204).send());
  app.addHook('onClose', async () => {
    // The error was already answered with the reference itself.
    const page = await reference?.catch(() => undefined);
    await page?.close();
  });
}

/**
 * The interactive reference, from files of the package alone. Routes cannot be added late, so it has a separate app.
 */
async function openReference(prefix: '/v1/docs'): Promise<FastifyInstance> {
  const scalar = await loadOptional('@scalar/fastify-api-reference');
  const app = fastify({ exposeHeadRoutes: true });
  app.addHook('onSend', (_, reply, payload, done) => {
    const html = typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
    void reply
      .header('content-security-policy', contentSecurityPolicy(html ? payload : ''))
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer');
    done(null, payload);
  });
  app.setNotFoundHandler((_, reply) => answerProblem(reply, new Problem('not_found')));
  if (!scalar) {
    app.get(`${prefix}/`, (_, reply) => reply.type('text/html; charset=utf-8').send(missingReference));
    await app.ready();
    return app;
  }
  await app.register(scalar.default, {
    routePrefix: prefix,
    configuration: {
      url: '../openapi.json',
      pageTitle: 'API v1',
      // Disables everything that would be fetched from elsewhere.
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  await app.ready();
  return app;
}

const missingReference = `<!doctype html><html lang="en"><meta charset="utf-8"><title>API v1</title>
<p>This page shows the API reference when an optional package is installed. In the directory of your project, run</p>
<pre>${installCommand(['@scalar/fastify-api-reference'])}</pre>
<p>and restart svc-conform. The OpenAPI document needs no package: <a href="../openapi.json">openapi.json</a>.</p></html>
`;

/** Allows nothing from elsewhere, and only the scripts of the page. The reference writes its styles into the page. */
function contentSecurityPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

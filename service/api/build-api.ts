import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { apiOperation, apiOperations, type OperationId } from '../../specs/api-operations.ts';
import { Brand } from '../../specs/brand.ts';
import { limits } from '../../specs/limits.ts';
import { targetBelow } from '../target-below.ts';
import { noSuchAddress, pathOf } from './addresses.ts';
import type { ApiOptions, ApiService } from './api-service.ts';
import { addCallbacks } from './add-callbacks.ts';
import { addDocuments } from './add-documents.ts';
import type { ApiCall, ApiResult } from './handler.ts';
import { handlers } from './handlers.ts';
import { Idempotency } from './idempotency.ts';
import { Keys, type KeyHolder } from './keys.ts';
import { answerClientError, answerProblem, problemOf } from './problems.ts';
import { RateLimit } from './rate-limit.ts';
import { installRecording } from './install-recording.ts';
import { bodyOf, maxBodyBytes } from './request-body.ts';
import { requestValidator, type RequestSchema } from './request-validator.ts';
import { logRequest } from './log-request.ts';

/** Milliseconds for a request to be complete. */
const requestTimeoutMs = 30_000;
/** In place of Fastify's own compilers, which would take a tenth of a second to load and are not needed. */
const schemaController: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    // Its type is that of Ajv's compiler.
    buildValidator: () => (({ schema }: { schema: RequestSchema }) => requestValidator(schema)) as never,
    buildSerializer: () => () => JSON.stringify,
  },
};
/** Milliseconds for answers under way when the service closes. */
const closingMs = 500;
/** Characters of an id or key in a path; longer addresses exceed the headers that Node accepts. */
const longestParameter = 16_384;

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of the body as received. */
    rawBody: Buffer | undefined;
    /** The owner of the request's key, once it was checked. */
    holder: KeyHolder | undefined;
  }
  interface FastifyContextConfig {
    operation?: OperationId;
    /** Not a request to the API itself. */
    isBeside?: 'callback' | 'document';
  }
}

/**
 * API v1 of the inboxes of a service, with its own documents and the addresses for CRM callbacks (interface:
 * Endpoints). Every request passes the same steps: raw body, key, rate, JSON, our schema as Fastify's validator,
 * Idempotency-Key, handler; every error is a {@link Problem}.
 */
export function buildApi(
  service: ApiService,
  { makeServer, apiHooks, rateLimit, publicUrl, brand = Brand.named() }: ApiOptions,
): FastifyInstance {
  const below = targetBelow(publicUrl);
  const options: FastifyServerOptions = {
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength: longestParameter },
    return503OnClosing: false,
    schemaController,
    rewriteUrl: ({ url = '/' }) => below(url),
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, _, reply) => answerProblem(reply, problemOf(error)),
    ...(makeServer && { serverFactory: (handle) => makeServer(handle) }),
  };
  const app = fastify(options);
  app.decorateRequest('rawBody', undefined);
  app.decorateRequest('holder', undefined);
  app.removeAllContentTypeParsers();
  // Accepts any type: the check follows after that of the key.
  for (const type of ['application/json', '*']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
      request.rawBody = brand.body(body);
      done(null, undefined);
    });
  }
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    const { status } = problem;
    const operation = request.routeOptions.config?.operation;
    logRequest(service, request, { operation, status, problem, cause: error });
    answerProblem(reply, problem);
  });
  app.setNotFoundHandler((request, reply) => {
    const problem = noSuchAddress(request);
    logRequest(service, request, { operation: undefined, status: problem.status, problem });
    answerProblem(reply, problem);
  });
  if (apiHooks) {
    installRecording(app, apiHooks, {
      bodyOf: ({ rawBody }) => rawBody,
      operationOf: ({ routeOptions }) => routeOptions.config?.operation,
      keyNameOf: ({ holder }) => holder?.keyName,
      now: () => service.clock.now(),
      isRecorded: ({ routeOptions }) => routeOptions.config?.isBeside !== 'document',
      isCallback: ({ routeOptions }) => routeOptions.config?.isBeside === 'callback',
      brand,
    });
  }
  addOperations(app, service, rateLimit ?? limits.apiRequestsPerMinute);
  addCallbacks(app, service.inboxes);
  addDocuments(app, () => service.baseUrl, brand);
  app.addHook('preClose', (done) => {
    const force = setTimeout(() => app.server.closeAllConnections(), closingMs);
    app.server.once('close', () => clearTimeout(force));
    done();
  });
  return app;
}

function addOperations(app: FastifyInstance, service: ApiService, perMinute: number | false): void {
  const now = () => service.clock.now();
  const keys = new Keys(service.inboxes);
  const rate = perMinute === false ? undefined : new RateLimit(perMinute, now);
  const idempotency = new Idempotency(now);

  for (const id of Object.keys(apiOperations) as OperationId[]) {
    const { method, path, request: name, requestOptional: isOptional = false, idempotent } = apiOperation(id);
    const handle = handlers[id];
    const answer = (request: FastifyRequest, reply: FastifyReply, { status, body }: ApiResult): void => {
      logRequest(service, request, { operation: id, status });
      void reply.code(status).send(body);
    };
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { operation: id },
      ...(name !== undefined && { schema: { body: { name, operation: id, isOptional } satisfies RequestSchema } }),
      preValidation: (request, _, done) => {
        const holder = keys.holder(request.headers);
        request.holder = holder;
        rate?.take(holder.key);
        if (name !== undefined) request.body = bodyOf(request, name);
        done();
      },
      handler: (request, reply) => {
        const { inbox, keyName, key } = request.holder as KeyHolder;
        const call: ApiCall = {
          inbox,
          keyName,
          parameters: request.params as ApiCall['parameters'],
          body: request.body,
        };
        const idempotencyKey = idempotent ? request.headers['idempotency-key'] : undefined;
        const result =
          typeof idempotencyKey === 'string'
            ? idempotency.run({ apiKey: key, idempotencyKey, method, path: pathOf(request), body: call.body }, () =>
                handle(call),
              )
            : handle(call);
        // Returns nothing: Fastify would await it, which costs time.
        if (result instanceof Promise) {
          result.then((later) => answer(request, reply, later)).catch((error: unknown) => void reply.send(error));
        } else {
          answer(request, reply, result);
        }
      },
    });
  }
}

import type { FastifyRequest } from 'fastify';
import type { OperationId } from '../../specs/api-operations.ts';
import type { Problem } from '../problem.ts';
import { withoutSecrets } from '../without-secrets.ts';
import { pathOf } from './addresses.ts';
import type { ApiService } from './api-service.ts';

/** How a request was answered. */
export interface AnsweredRequest {
  operation: OperationId | undefined;
  status: number;
  /** The error, where it is one. */
  problem?: Problem;
  /** What went wrong, where it is a defect of ours. */
  cause?: unknown;
}

/** Tells in the live log that a request was answered. A path or a detail may repeat a secret that the client has sent. */
export function logRequest(service: ApiService, request: FastifyRequest, answered: AnsweredRequest): void {
  const { inboxes, inbox, events } = service;
  const { method, holder } = request;
  const { operation, status, problem, cause } = answered;
  const clean = (text: string) => inboxes.reduce((left, { workspace }) => withoutSecrets(workspace, left), text);
  const sent = pathOf(request);
  // Only what a client may choose is looked through.
  const hasChoice = operation === undefined || (request.params as { id?: string }).id !== undefined;
  const path = hasChoice ? clean(sent) : sent;
  const { id: workspaceId } = (holder?.inbox ?? inbox).workspace;
  const data: Record<string, unknown> = { method, path, operation, status, keyName: holder?.keyName };
  let text = `${method} ${path} ${status}`;
  if (problem) {
    data.title = problem.code;
    data.detail = clean(problem.message);
    text += ` ${problem.code}: ${problem.message}`;
  }
  if (cause instanceof Error && status >= 500) data.cause = clean(cause.stack ?? cause.message);
  events.add({ type: 'api-request', workspaceId, text: problem ? clean(text) : text, data });
}

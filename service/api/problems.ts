import type { FastifyError, FastifyReply } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../problem.ts';
import { maxBodyBytes } from './request-body.ts';

/** Media type of every error (RFC 9457). */
export const problemType = 'application/problem+json';

/** The problem for a thrown error. `internal_error` is our defect. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { statusCode, message, code } = error as Partial<FastifyError>;
  switch (statusCode) {
    case 413:
      return new Problem(
        'payload_too_large',
        `expected a body of at most ${maxBodyBytes} bytes, received a larger one`,
      );
    case 415:
      return new Problem(
        'unsupported_media_type',
        'expected the Content-Type application/json, received none that is valid',
      );
    case undefined:
      return new Problem('internal_error');
    default:
      // Fastify's own: an invalid address or length, an incomplete body.
      if (statusCode >= 400 && statusCode < 500 && code?.startsWith('FST_') === true) {
        return new Problem('invalid_request', message);
      }
      return statusCode === 400
        ? new Problem('invalid_request', 'The request was incomplete.')
        : new Problem('internal_error');
  }
}

/** Answers with problem details. */
export function answerProblem(reply: FastifyReply, problem: Problem): void {
  const { status, headers, body } = problem;
  void reply.code(status).headers(headers).type(problemType).send(JSON.stringify(body));
}

/** Answers bytes that are not a request (interface: Errors), before Fastify is involved. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const problem = clientProblem(error.code);
    const body = JSON.stringify(problem.body);
    socket.write(
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\nContent-Type: ${problemType}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroy();
}

function clientProblem(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request_timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large');
  return new Problem('invalid_request', 'expected an HTTP/1.1 request, received something else');
}

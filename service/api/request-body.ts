import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { readBoundedJson } from '../../specs/bounded-json.ts';
import { isJsonMediaType } from '../../specs/is-json-media-type.ts';
import { schemas, type SchemaName } from '../../specs/schemas.ts';
import { Problem } from '../problem.ts';
import { isJsonContainer } from '../../specs/json-object.ts';

/** Maximum number of bytes of a request body (assumption api-request-bounds). */
export const maxBodyBytes = 1_048_576;

const nullText = Buffer.from('null');

/**
 * The content of a request: the JSON value of its body. The fields of a DELETE may be in the query instead, since not
 * every client sends a body with it (assumption appointment-cancellation-message). `undefined` without any. Throws
 * {@link Problem} unsupported_media_type and invalid_request.
 */
export function bodyOf({ method, rawBody, headers, query }: FastifyRequest, name: SchemaName): unknown {
  const value = rawBody && readBody(rawBody, headers);
  if (value !== undefined || method !== 'DELETE') return value;
  const fields = Object.entries(query as Record<string, unknown>);
  const known = fields.filter(([field]) => Object.hasOwn(schemas[name].properties ?? {}, field));
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

/**
 * The JSON value of a body, without the fields that are null: they are read as missing (assumption api-null-members).
 * In `metadata` they stay: its keys are the client's and have strings as values (interface: Appointment). `undefined`
 * for an empty body.
 */
function readBody(body: Buffer, headers: IncomingHttpHeaders): unknown {
  if (body.length === 0) return undefined;
  const { 'content-type': type, 'content-encoding': coding } = headers;
  if (type !== 'application/json' && !isJsonMediaType(type)) {
    throw new Problem(
      'unsupported_media_type',
      `expected the Content-Type application/json, received ${type ?? 'none'}`,
    );
  }
  if (coding !== undefined && coding !== 'identity') {
    throw new Problem('unsupported_media_type', `expected a body without Content-Encoding, received ${coding}`);
  }
  const read = readBoundedJson(body);
  if ('error' in read)
    throw new Problem(
      'invalid_request',
      `expected JSON, received ${[read.error, read.cause].filter(Boolean).join(': ')}`,
    );
  const { value } = read;
  // The characters can mean nothing else unless a string contains them.
  if (body.includes(nullText)) dropNulls(value);
  dropEmptyAddresses(value);
  return value;
}

/** Removes fields that are null from every object other than `metadata`. */
function dropNulls(value: unknown): void {
  const left: unknown[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (!isJsonContainer(next)) continue;
    for (const [name, inner] of Object.entries(next)) {
      if (inner !== null) {
        if (name !== 'metadata') left.push(inner);
      } else if (!Array.isArray(next)) delete (next as Record<string, unknown>)[name];
    }
  }
}

/** Removes an empty phone number or email address, which identifies no contact (assumption api-null-members). */
function dropEmptyAddresses(value: unknown): void {
  if (!isJsonContainer(value)) return;
  const body = value as Record<string, unknown>;
  for (const name of ['phone', 'email']) if (body[name] === '') delete body[name];
  if ('target' in body) dropEmptyAddresses(body.target);
}

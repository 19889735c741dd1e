import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { plainWire, type ApiCall, type ClientEnvironment, type ClientSeams } from '../proving/client.ts';
import type { WireCall } from '../proving/client-wire.ts';
import type { Mutant } from './mutant.ts';

type ClientRequirement = Extract<RequirementId, `api-client/${string}`>;

/** A fault of the API client: `name` and `breaks` are led by its surface. */
export interface ClientFault {
  name: string;
  breaks: ClientRequirement extends `api-client/${infer Slug}` ? Slug : never;
  what: string;
  mayAlso?: Mutant['mayAlso'];
  /** New seams with separate memory. */
  seams: () => Partial<ClientSeams>;
}

/** The mutant that such a fault makes. */
export function clientMutant({ name, breaks, what, mayAlso, seams }: ClientFault): Mutant {
  return {
    name: `client-${name}`,
    breaks: `api-client/${breaks}`,
    what,
    ...(mayAlso && { mayAlso }),
    build: () => ({ client: seams() }),
  };
}

/** Seams that change one call, by its name. */
export function changed(
  name: string,
  change: (call: ApiCall, environment: ClientEnvironment) => Partial<ApiCall>,
): () => Partial<ClientSeams> {
  return () => ({
    shape: (call, environment) => (call.name === name ? { ...call, ...change(call, environment) } : call),
  });
}

/** Seams that change fields of the body of one call; `undefined` takes one out. */
export function saying(name: string, fields: Record<string, unknown>): () => Partial<ClientSeams> {
  return changed(name, ({ body }) => ({ body: { ...body, ...fields } }));
}

/** Seams that put one call on the wire in another way. */
export function sent(
  name: string,
  change: (wire: WireCall, environment: ClientEnvironment) => Partial<WireCall>,
): () => Partial<ClientSeams> {
  return () => ({
    wire: (call, key, environment) => {
      const wire = plainWire(call, key, environment);
      return call.name === name ? { ...wire, ...change(wire, environment) } : wire;
    },
  });
}

/** Headers without one, by its name. */
export function without(headers: WireCall['headers'], name: string): WireCall['headers'] {
  return headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
}

import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { plainWire, type ApiCall, type ClientEnvironment, type ClientSeams } from '../proving/client.ts';
import type { WireCall } from '../proving/client-wire.ts';
import type { Mutant } from './mutant.ts';

type ClientRequirement = Extract<RequirementId, `api-client/${string}`>;

/** A fault of the API client; `name` and `breaks` lack the prefix of the surface. */
export interface ClientFault {
  name: string;
  breaks: ClientRequirement extends `api-client/${infer Slug}` ? Slug : never;
  what: string;
  mayAlso?: Mutant['mayAlso'];
  /** Makes new seams that share no state. */
  seams: () => Partial<ClientSeams>;
}

/** The mutant for a fault. */
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

/** Seams that change fields of the body of one call; `undefined` removes a field. */
export function saying(name: string, fields: Record<string, unknown>): () => Partial<ClientSeams> {
  return changed(name, ({ body }) => ({ body: { ...body, ...fields } }));
}

/** Seams that change how one call is sent. */
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

/** The headers without those of this name. */
export function without(headers: WireCall['headers'], name: string): WireCall['headers'] {
  return headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
}

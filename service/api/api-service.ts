import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Brand } from '../../specs/brand.ts';
import type { ServiceCommons } from '../inbox-core.ts';
import type { ServiceInbox } from '../service-inbox.ts';
import type { ApiHooks } from './install-recording.ts';

/** The service behind API v1. */
export interface ApiService extends Pick<ServiceCommons, 'clock' | 'events'> {
  readonly inboxes: readonly ServiceInbox[];
  /** The first inbox. */
  readonly inbox: ServiceInbox;
  /** The address at which the integrator reaches the service, without a trailing slash. */
  readonly baseUrl: string;
}

export interface ApiOptions {
  /** The address at which the integrator reaches host and port, when it is another one. */
  publicUrl?: string | undefined;
  /** Its names are in the bodies of requests and in the documents; default: the brand of the document. */
  brand?: Brand;
  /** Called for every exchange at API v1; may cause failures. */
  apiHooks?: ApiHooks;
  /** Requests per minute and key; default: the limit of the interface. `false`: unlimited. */
  rateLimit?: number | false;
  /** Creates the server that listens, for callers that serve their own addresses as well. */
  makeServer?: (handle: (request: IncomingMessage, response: ServerResponse) => void) => Server;
}

import type { Config } from './generated/types.ts';

interface SurfaceRow {
  readonly configKey: keyof Config;
  /** Whether the integrator's side sends requests to us: callbacks, replies, requests to API v1. */
  readonly callsUs: boolean;
  /** Absent where no endpoint of the integrator is contacted. */
  readonly endpoint?: EndpointRow;
}

interface EndpointRow {
  /** Short name: of its driver in a check, and the beginning of its flags. */
  readonly kit: string;
  /** Config field and flag of the credential: a bearer token, or the secret of signatures. */
  readonly credential: 'token' | 'secret';
  readonly label: string;
  /** Its address, as a report to a developer names it. */
  readonly address: string;
  /** The requests that it receives. */
  readonly traffic: string;
  /** Owner of the credential. */
  readonly credentialOf: string;
}

/** The integrator's surfaces that have requirements, in the order of the interface, of a run and of a report. */
export const surfaceTable = {
  'crm-webhook': {
    configKey: 'crmWebhook',
    callsUs: true,
    endpoint: {
      kit: 'crm',
      credential: 'token',
      label: 'CRM webhook',
      address: 'CRM webhook',
      traffic: 'CRM events',
      credentialOf: 'its bearer token',
    },
  },
  'api-webhooks': {
    configKey: 'apiWebhooks',
    callsUs: false,
    endpoint: {
      kit: 'hooks',
      credential: 'secret',
      label: 'API webhooks',
      address: 'address for appointment events',
      traffic: 'appointment events',
      credentialOf: 'the secret of the subscription',
    },
  },
  'own-ai-chat': {
    configKey: 'chat',
    callsUs: true,
    endpoint: {
      kit: 'chat',
      credential: 'secret',
      label: 'own-AI chat',
      address: 'chat address of the own AI',
      traffic: 'chat messages',
      credentialOf: 'the secret of the assistant',
    },
  },
  'own-ai-phone': {
    configKey: 'phone',
    callsUs: false,
    endpoint: {
      kit: 'phone',
      credential: 'secret',
      label: 'own-AI phone',
      address: 'phone address of the own AI',
      traffic: 'calls',
      credentialOf: 'the secret of the assistant',
    },
  },
  'api-client': { configKey: 'apiClient', callsUs: true },
  'deep-links': { configKey: 'deepLinks', callsUs: false },
} as const satisfies Record<string, SurfaceRow>;

type Table = typeof surfaceTable;

/** A part of the interface that is configured and judged separately; the first part of a requirement id. */
export type Surface = keyof Table;

/** A surface whose endpoint we contact. */
export type EndpointSurface = {
  [S in Surface]: Table[S] extends { endpoint: EndpointRow } ? S : never;
}[Surface];

/** An endpoint whose deliveries or calls are signed. */
export type SignedSurface = {
  [S in EndpointSurface]: Table[S]['endpoint']['credential'] extends 'secret' ? S : never;
}[EndpointSurface];

export const surfaces = Object.keys(surfaceTable) as readonly Surface[];

export const endpointSurfaces = surfaces.filter(isEndpointSurface);

export const signedSurfaces = endpointSurfaces.filter(
  (surface): surface is SignedSurface => surfaceTable[surface].endpoint.credential === 'secret',
);

/** Whether a string from outside names a surface. */
export function isSurface(text: string): text is Surface {
  return Object.hasOwn(surfaceTable, text);
}

/** Whether a string from outside names a surface with an endpoint. */
export function isEndpointSurface(text: string): text is EndpointSurface {
  return isSurface(text) && 'endpoint' in surfaceTable[text];
}

/** Whether the integrator's side sends requests to us in one of these surfaces. */
export function areCalling(names: readonly string[]): boolean {
  return names.some((name) => isSurface(name) && surfaceTable[name].callsUs);
}

/** The position of a surface in the order of a report; -1 for any other string. */
export function surfaceRank(text: string): number {
  return (surfaces as readonly string[]).indexOf(text);
}

/** The config key of a surface. */
export function configKeyOf<S extends Surface>(surface: S): Table[S]['configKey'] {
  return surfaceTable[surface].configKey;
}

/** The config keys of all surfaces, as a message lists them. */
export const configKeys = surfaces.map(configKeyOf);

/** The part of a requirement or check id before the slash: its surface. */
export function surfaceOf<S extends Surface>(id: `${S}/${string}`): S;
export function surfaceOf(id: string): string;
export function surfaceOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

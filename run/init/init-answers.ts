import type { DiagnosedSurface } from '../../specs/generated/types.ts';

/** CI systems for which `init` writes a file. */
export const ciSystems = ['github', 'gitlab', 'jenkins'] as const;
export type CiSystem = (typeof ciSystems)[number];

/** An endpoint and the environment variable with its secret or token. */
export interface InitEndpoint {
  url: string;
  variable: string;
}

/** The answers of the user. */
export interface InitAnswers {
  endpoints: Partial<Record<DiagnosedSurface, InitEndpoint>>;
  /** A command that starts the API client. */
  client?: string | undefined;
  /** A file with deep links. */
  links?: string | undefined;
  /** A command that starts the endpoint. */
  start?: string | undefined;
  /** A program that forwards a public address to us. */
  tunnel?: string | undefined;
  /** A phone number that the CRM knows. */
  knownCaller?: string | undefined;
  brand?: string | undefined;
  allowHttp?: readonly string[] | undefined;
  /** `undefined`: no file. */
  ci?: CiSystem | undefined;
}

/** Names of the variables, unless the user has others. An assistant has one secret for both surfaces. */
export const usualVariables: Readonly<Record<DiagnosedSurface, string>> = {
  'crm-webhook': 'CRM_TOKEN',
  'api-webhooks': 'HOOK_SECRET',
  'own-ai-chat': 'AGENT_SECRET',
  'own-ai-phone': 'AGENT_SECRET',
};

/** Whether a surface is given. */
export function namesSurface({ endpoints, client, links }: InitAnswers): boolean {
  return Object.keys(endpoints).length > 0 || client !== undefined || links !== undefined;
}

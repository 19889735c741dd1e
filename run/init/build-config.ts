import type { Config } from '../../specs/generated/types.ts';
import { configKeyOf, endpointSurfaces, surfaceTable } from '../../specs/surfaces.ts';
import type { InitAnswers } from './init-answers.ts';

/** The schema in an installed package, relative to the config file. */
const schemaPath = './node_modules/svc-conform/dist/specs/schemas/config.schema.json';

/** The config for these answers. */
export function buildConfig(
  { endpoints, client, links, start, tunnel, knownCaller, brand, allowHttp = [] }: InitAnswers,
  proposed: NonNullable<Config['stimuli']> = {},
): Config {
  const targets = endpointSurfaces.flatMap((surface) => {
    const { [surface]: endpoint } = endpoints;
    if (!endpoint) return [];
    const { credential } = surfaceTable[surface].endpoint;
    return [[configKeyOf(surface), { url: endpoint.url, [credential]: `env:${endpoint.variable}` }] as const];
  });
  const stimuli = { ...(knownCaller !== undefined && { knownCaller }), ...proposed };
  return {
    $schema: schemaPath,
    ...(Object.fromEntries(targets) as Pick<Config, 'crmWebhook' | 'apiWebhooks' | 'chat' | 'phone'>),
    ...(client !== undefined && { apiClient: { exercise: { command: client } } }),
    ...(links !== undefined && { deepLinks: { file: links } }),
    ...(Object.keys(stimuli).length > 0 && { stimuli }),
    ...(start !== undefined && { start: { command: start } }),
    ...(tunnel !== undefined && { service: { tunnel } }),
    ...(allowHttp.length > 0 && { allowHttp: [...allowHttp] }),
    ...(brand !== undefined && { brand }),
  };
}

import { HarnessFault } from '../../harness/checks/faults.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import { configKeyOf, endpointSurfaces, isEndpointSurface, surfaceTable, type Surface } from '../../specs/surfaces.ts';
import { ciSystems, namesSurface, usualVariables, type CiSystem, type InitAnswers } from './init-answers.ts';
import { placeholderSecret } from './probe-endpoint.ts';
import type { Prompter } from './prompter.ts';

const ciLabels: Readonly<Record<CiSystem, string>> = {
  github: 'GitHub Actions',
  gitlab: 'GitLab CI',
  jenkins: 'Jenkins',
};

const examples: Readonly<Record<DiagnosedSurface, string>> = {
  'crm-webhook': 'http://127.0.0.1:8080/crm',
  'api-webhooks': 'http://127.0.0.1:8080/hooks',
  'own-ai-chat': 'http://127.0.0.1:8080/chat',
  'own-ai-phone': 'ws://127.0.0.1:8080/voice',
};

/** Asks for what was not given. */
export async function askAnswers(
  prompter: Prompter,
  given: InitAnswers,
  { detected, asksCi }: { detected: CiSystem | undefined; asksCi: boolean },
): Promise<InitAnswers> {
  const asked = namesSurface(given) ? [] : await askSurfaces(prompter);
  const endpoints = { ...given.endpoints };
  for (const surface of asked.filter(isEndpointSurface)) {
    const { label, credentialOf } = surfaceTable[surface].endpoint;
    const url = await prompter.text(`Address of the ${label}`, {
      example: examples[surface],
      check: (answer) => addressProblem(surface, answer, given),
    });
    const variable = await prompter.text(`Environment variable with ${credentialOf}`, {
      initial: usualVariables[surface],
      check: (answer) => (/^[A-Za-z_]\w*$/.test(answer) ? undefined : 'Enter the name of a variable, not its value.'),
    });
    endpoints[surface] = { url, variable };
  }
  const client = asked.includes('api-client') ? await askClient(prompter) : given.client;
  const links = asked.includes('deep-links') ? await askLinks(prompter) : given.links;
  const surfaces = endpointSurfaces.filter((surface) => endpoints[surface]);
  const isLocal = surfaces.every((surface) => isLoopback(new URL(endpoints[surface]?.url ?? '').hostname));
  const callsUs = surfaces.some((surface) => surfaceTable[surface].callsUs);
  return {
    ...given,
    endpoints,
    client,
    links,
    knownCaller: endpoints['crm-webhook'] ? (given.knownCaller ?? (await askKnownCaller(prompter))) : undefined,
    start:
      isLocal && surfaces.length > 0
        ? (given.start ?? (await askCommand(prompter, 'Command that starts your endpoint')))
        : given.start,
    tunnel:
      !isLocal && callsUs
        ? (given.tunnel ?? (await askCommand(prompter, 'Tunnel program for callbacks, with {port}')))
        : given.tunnel,
    ci: asksCi ? await askCi(prompter, detected) : given.ci,
  };
}

async function askSurfaces(prompter: Prompter): Promise<Surface[]> {
  const endpoints = endpointSurfaces.map((surface) => {
    const { label, traffic } = surfaceTable[surface].endpoint;
    return { value: surface, label, hint: `an endpoint that receives ${traffic}` };
  });
  return await prompter.several<Surface>('What do you have?', [
    ...endpoints,
    { value: 'api-client', label: 'API client', hint: 'a program that calls the REST API' },
    { value: 'deep-links', label: 'deep links', hint: 'links that open the app' },
  ]);
}

async function askClient(prompter: Prompter): Promise<string> {
  return await prompter.text('Command that starts your API client', {
    example: 'npm run sync',
    check: (answer) => (answer.trim() === '' ? 'Enter a command.' : undefined),
  });
}

async function askLinks(prompter: Prompter): Promise<string> {
  return await prompter.text('File with your deep links, one per line', {
    initial: 'links.txt',
    check: (answer) => (answer.trim() === '' ? 'Enter the name of a file.' : undefined),
  });
}

async function askKnownCaller(prompter: Prompter): Promise<string | undefined> {
  const answer = await prompter.text('Phone number of a contact in your CRM (empty: none)', {
    example: '+4930901820',
    check: (text) => (text === '' || /^\+[1-9]\d{6,14}$/.test(text) ? undefined : 'Enter it as +4930901820.'),
  });
  return answer === '' ? undefined : answer;
}

async function askCommand(prompter: Prompter, what: string): Promise<string | undefined> {
  const answer = (await prompter.text(`${what} (empty: none)`)).trim();
  return answer === '' ? undefined : answer;
}

async function askCi(prompter: Prompter, detected: CiSystem | undefined): Promise<CiSystem | undefined> {
  const systems = ciSystems.map((system) => ({
    value: system,
    label: ciLabels[system],
    ...(system === detected && { hint: 'found here' }),
  }));
  const choices = [...systems, { value: 'none' as const, label: 'No file' }];
  const answer = await prompter.one('Write a CI file for', choices, detected ?? 'none');
  return answer === 'none' ? undefined : answer;
}

/** Why an address cannot be used; `undefined` if it can. */
function addressProblem(surface: DiagnosedSurface, url: string, { allowHttp = [] }: InitAnswers): string | undefined {
  const { credential } = surfaceTable[surface].endpoint;
  const config = { [configKeyOf(surface)]: { url, [credential]: 'env:SECRET' }, allowHttp: [...allowHttp] };
  try {
    resolveConfig(config, { SECRET: placeholderSecret() }, 'The answer');
    return undefined;
  } catch (error) {
    if (!(error instanceof HarnessFault)) throw error;
    return error.message;
  }
}

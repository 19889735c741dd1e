import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { assertPrivateHosts } from '../../harness/config/allowed-http.ts';
import { configFileNames } from '../../harness/config/config-file-names.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { Config, DiagnosedSurface } from '../../specs/generated/types.ts';
import { configKeyOf, endpointSurfaces } from '../../specs/surfaces.ts';
import { defaultReportDirectory } from '../plan/report-directory.ts';
import { version } from '../version.ts';
import { ciFile } from './ci-file.ts';
import { buildConfig } from './build-config.ts';
import type { InitAnswers } from './init-answers.ts';
import { placeholderSecret, probeEndpoint, type EndpointProbe } from './probe-endpoint.ts';
import { proposeStimuli, type ProposedStimuli, type TalkingSurface } from './propose-stimuli.ts';
import { addLine, writeNewFile } from './write-files.ts';

const configName = 'svc-conform.config.json';

export interface InitContext {
  directory: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether the addresses are probed. */
  probes: boolean;
  onProbe: (probe: EndpointProbe) => Promise<void>;
  onStimuli: (proposed: ProposedStimuli) => Promise<void>;
}

/** Written files and remaining steps, a sentence each. */
export interface Initialised {
  written: readonly string[];
  unchanged: readonly string[];
  next: readonly string[];
}

/** Throws {@link HarnessFault} `file-exists` if there is a config file in the directory. */
export function assertNoConfig(directory: string): void {
  const file = configFileNames.find((name) => existsSync(join(directory, name)));
  if (file !== undefined) throw new HarnessFault('file-exists:config', { file });
}

/**
 * Probes the endpoints, and writes the config, the CI file and the line in .gitignore. Never overwrites a file. Throws
 * {@link HarnessFault} for an answer that cannot be used, before anything is sent or written.
 */
export async function initialise(answers: InitAnswers, context: InitContext): Promise<Initialised> {
  const { directory, environment, probes } = context;
  assertNoConfig(directory);
  const unset = unsetVariables(answers, environment);
  const placeholders = Object.fromEntries(unset.map((name) => [name, placeholderSecret()]));
  // The file of the links may not exist yet.
  const probedConfig = buildConfig({ ...answers, links: undefined });
  const config = resolveConfig(probedConfig, { ...environment, ...placeholders }, 'The command line');
  await assertPrivateHosts(config);
  const stimuli = probes ? await probed(answers, config, context, unset) : {};
  const text = `${JSON.stringify(buildConfig(answers, stimuli), undefined, 2)}\n`;
  const written = [configName];
  const unchanged: string[] = [];
  const next = unset.map((name) => `Set the environment variable ${name}.`);
  if (answers.links !== undefined && !existsSync(join(directory, answers.links)))
    next.push(`Write your deep links to ${answers.links}, one per line.`);
  if (answers.ci !== undefined) {
    const hasLockFile = existsSync(join(directory, 'package-lock.json'));
    const file = ciFile(answers.ci, answers, { version: version(), hasLockFile });
    if (await writeNewFile(directory, file.path, file.text)) {
      written.push(file.path);
      next.push(`${file.path}: ${file.next}`);
    } else {
      unchanged.push(file.path);
    }
  }
  if (await addLine(directory, '.gitignore', `${defaultReportDirectory}/`)) written.push('.gitignore');
  // Last, because init cannot be repeated with a config.
  if (!(await writeNewFile(directory, configName, text)))
    throw new HarnessFault('file-exists:config', { file: configName });
  return { written, unchanged, next };
}

/** The variables of the answers without a value. */
function unsetVariables({ endpoints }: InitAnswers, environment: InitContext['environment']): string[] {
  const names = new Set(Object.values(endpoints).map(({ variable }) => variable));
  return [...names].filter((name) => (environment[name] ?? '') === '');
}

async function probed(
  { endpoints, start }: InitAnswers,
  config: ResolvedConfig,
  { onProbe, onStimuli }: InitContext,
  unset: readonly string[],
): Promise<NonNullable<Config['stimuli']>> {
  const redact = configRedactor(config);
  const talking: TalkingSurface[] = [];
  for (const surface of endpointSurfaces) {
    const { [surface]: endpoint } = endpoints;
    if (!endpoint) continue;
    const hasSecret = !unset.includes(endpoint.variable);
    const probe = await probeEndpoint(surface, only(surface, config), {
      hasSecret,
      variable: endpoint.variable,
    });
    const seen = [
      ...probe.seen,
      ...(hasSecret ? [] : [`${endpoint.variable} is not set, so nothing was sent.`]),
      ...(probe.isReached || start === undefined ? [] : [`svc-conform check starts it with ${start}.`]),
    ];
    await onProbe({ ...probe, seen: seen.map((line) => redact(line)), ...(probe.fix && { fix: redact(probe.fix) }) });
    const isTalking = surface === 'own-ai-chat' || surface === 'own-ai-phone';
    if (isTalking && probe.isReached && hasSecret) talking.push(surface);
  }
  let stimuli: NonNullable<Config['stimuli']> = {};
  for (const surface of talking) {
    const proposed = await proposeStimuli(surface, only(surface, config));
    await onStimuli(proposed);
    stimuli = { ...stimuli, ...proposed.stimuli };
  }
  return stimuli;
}

/** Reduces the config to one endpoint, so that nothing is sent to another one. */
function only(surface: DiagnosedSurface, config: ResolvedConfig): ResolvedConfig {
  const kept = configKeyOf(surface);
  const others = endpointSurfaces.map(configKeyOf).filter((key) => key !== kept);
  return Object.fromEntries(
    Object.entries(config).filter(([key]) => !others.some((other) => other === key)),
  ) as unknown as ResolvedConfig;
}

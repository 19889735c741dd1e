import { Brand } from '../specs/brand.ts';
import type { Capture } from '../harness/capture/capture.ts';
import { readRecording } from '../harness/capture/read-recording.ts';
import { recordedSecrets } from '../harness/capture/recorded-secrets.ts';
import { sortRecording } from '../harness/capture/sort-recording.ts';
import { runSuites, type EngineOptions, type FinishedCheck } from '../harness/checks/engine.ts';
import type { ResolvedConfig, RunSettings } from '../harness/config/settings.ts';
import type { Report } from '../specs/generated/types.ts';
import { captureNotes, deviationNotes } from './execute/capture-notes.ts';
import { gateOf } from './plan/plan-run.ts';
import { configRedactor } from '../harness/config/config-redactor.ts';
import { brandedOutput } from './output/branded-output.ts';
import type { RunContext } from './run-context.ts';
import { runPlan } from './run-conformance.ts';
import type { FinishedRun } from './run-pipeline.ts';
import { selectionOf, type RunPlan } from './run-plan.ts';
import type { RunOutput } from './run-step.ts';
import { parseFormatNames } from './plan/parse-format-names.ts';
import { optionalTargetWithFlags } from './config/optional-target.ts';
import type { TargetOptions } from './config/read-target.ts';
import type { RunOptions } from './run-input.ts';
import { runSettings } from './plan/run-settings.ts';
import { reportDirectory } from './plan/report-directory.ts';
import { selectCaptured } from './plan/select-captured.ts';
import { shellCommand, redactCommand } from './plan/shell-command.ts';
import { HarnessFault } from '../harness/checks/faults.ts';

export type CaptureOptions = TargetOptions & RunOptions & { capture: string; suites?: unknown };

/** The config without flags and config file: recorded traffic is judged without secrets. */
const nothingConfigured: ResolvedConfig = { skills: [], stimuli: {}, service: { host: '127.0.0.1', port: 0 } };

const suitesSkipped = 'Your own suites are skipped: they send requests, and --capture sends nothing.';

/** Flags about sending and waiting, and those of complete runs. */
const unsupported = {
  image: '--image',
  start: '--start',
  seed: '--seed',
  runs: '--runs',
  thorough: '--thorough',
  path: '--path',
  callbackWait: '--callback-wait',
  answerTimeout: '--answer-timeout',
  budget: '--budget',
  chaos: '--chaos',
  confirm: '--confirm',
  shard: '--shard',
  contracts: '--contracts',
  suites: '--suites',
  certificate: '--certificate',
  key: '--key',
} as const satisfies Partial<Record<keyof CaptureOptions, string>>;

/**
 * Judges recorded traffic: sends nothing, writes the report and prints the verdict.
 *
 * @throws HarnessFault with exit code 2, such as `capture-unreadable`
 */
export async function runCapture(options: CaptureOptions, output: RunOutput): Promise<FinishedRun> {
  // Without --no-suites Commander sets the option to `true`.
  const isGiven = (name: string) => {
    const value = (options as unknown as Record<string, unknown>)[name];
    return name === 'suites' ? Array.isArray(value) : value !== undefined;
  };
  const misplaced = Object.entries(unsupported).find(([name]) => isGiven(name));
  if (misplaced) {
    throw new HarnessFault('flags-conflict:capture', { flag: misplaced[1] });
  }
  const { surface, only } = options;
  const target = await optionalTargetWithFlags(options);
  const config = withoutStarting(target?.config ?? nothingConfigured);
  const capture = sortRecording(readRecording(options.capture, Brand.named(config.brand)), config);
  const selected = await selectCaptured(capture, config, options);
  const formats = await parseFormatNames(options.format ?? ['html']);
  const now = () => new Date();
  const withSecrets: ResolvedConfig = { ...config, otherSecrets: recordedSecrets(capture) };
  const redact = configRedactor(withSecrets);
  const settings: RunSettings = {
    ...runSettings(withSecrets, { ...options, seed: 0 }),
    capture,
    ...(capture.traffic && { recorded: capture.traffic }),
  };
  const selection = selectionOf({ asked: { surface, only }, settings });
  const out = await reportDirectory(options, selection);
  const gate = await gateOf({ ...options, ...(out !== undefined && { out }) }, config.waivers ?? [], now());
  const again = redactCommand(
    ['npx', 'svc-conform', 'check', '--capture', options.capture, ...(target?.flags ?? [])],
    redact,
  );
  const quoting = { redact, isDiscreet: options.anonymize === true };
  const context: RunContext = { settings, redact, now, output: brandedOutput(output, Brand.named(config.brand)) };
  const onDeviations: EngineOptions['onDeviations'] = (deviations) => {
    for (const text of deviationNotes(deviations, quoting)) context.output.emit({ step: 'note', text });
  };
  const plan: RunPlan = {
    selected,
    runChecks: (engine) => runCaptured({ ...engine, onDeviations }, capture, selected.isSelected),
    notes: [...(config.suites ? [suitesSkipped] : []), ...captureNotes(capture, quoting)],
    selection,
    target: targetOf(capture, config, redact),
    configFile: target?.configFile,
    configInRepository: target?.configInRepository,
    reproduce: ({ id }) => shellCommand([...again, '--only', id]),
    gate,
    anonymize: options.anonymize,
    out,
    formats,
  };
  return await runPlan(context, plan, (run) => run(context));
}

/** Removes the parts of a config that would be started or called. */
function withoutStarting({ container: _, observe: __, ...config }: ResolvedConfig): ResolvedConfig {
  return config;
}

/** Runs the checks of recordings, and those of clients if the recording has requests to the API. */
async function runCaptured(
  { settings, onCheck, onDeviations }: EngineOptions,
  { traffic }: Capture,
  isSelected: (id: string) => boolean,
): Promise<FinishedCheck[]> {
  const finished = await runSuites({
    settings,
    surfaces: ['capture', ...(traffic ? ['api-client'] : [])],
    onCheck: (check) => {
      if (isSelected(check.requirement)) onCheck?.(check);
    },
    ...(onDeviations && { onDeviations }),
  });
  return finished.filter(({ requirement }) => isSelected(requirement));
}

/** The recorded addresses; the log of the simulated service has none of calls, so the config has it. */
function targetOf(
  { kind, crm, hooks, chat, calls, traffic }: Capture,
  { phone }: ResolvedConfig,
  redact: (text: string) => string,
): Report['target'] {
  const dialled = kind === 'log' ? phone?.url : calls[0]?.request.url;
  const first = {
    'crm-webhook': crm[0],
    'api-webhooks': hooks[0],
    'own-ai-chat': chat[0],
  };
  const target: Report['target'] = {};
  const address = (url: string) => ({ url: redact(url.replace(/[?#].*$/, '')) });
  for (const [surface, exchange] of Object.entries(first)) {
    if (exchange) target[surface as keyof typeof first] = address(exchange.request.url);
  }
  if (calls.length > 0 && dialled !== undefined) target['own-ai-phone'] = address(dialled);
  const [request] = traffic?.exchanges ?? [];
  if (request) target['api-client'] = address(request.request.url.slice(0, -request.path.length));
  return target;
}

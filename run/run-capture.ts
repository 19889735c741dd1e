import type { Capture } from '../harness/capture/capture.ts';
import { readRecording } from '../harness/capture/read-recording.ts';
import { recordedSecrets } from '../harness/capture/recorded-secrets.ts';
import { sortRecording } from '../harness/capture/sort-recording.ts';
import { runSuites, type EngineOptions, type FinishedCheck } from '../harness/checks/engine.ts';
import { redactor } from '../service/redact.ts';
import { secretsOf, type ResolvedConfig, type RunSettings } from '../harness/config/settings.ts';
import type { Report } from '../specs/generated/types.ts';
import { assertEventsPlace } from './plan/assert-events-place.ts';
import { captureNotes } from './execute/capture-notes.ts';
import type { RunExitCode } from './exit-code.ts';
import { gateOf } from './run-conformance.ts';
import { formatsNamed } from './plan/formats-named.ts';
import { executeChecks } from './execute-checks.ts';
import { optionalTargetWithFlags } from './config/optional-target.ts';
import type { TargetOptions } from './config/read-target.ts';
import { RunEvents } from './publish/run-events.ts';
import type { RunInput } from './run-input.ts';
import { runSettings } from './plan/run-settings.ts';
import { selectCaptured } from './plan/select-captured.ts';
import { shellCommand, shownWords } from './plan/shell-command.ts';
import { tryOutDirectory } from './plan/try-out-directory.ts';
import { UsageError } from './usage-error.ts';

export type CaptureOptions = TargetOptions & RunInput & { capture: string; suites?: unknown };

/** Where no config and no flags are: what is recorded is judged without secrets. */
const nothingConfigured: ResolvedConfig = { skills: [], stimuli: {}, service: { host: '127.0.0.1', port: 0 } };

const suitesLeftOut = 'Suites of your own are omitted: they send, and nothing is sent here.';

/** Flags that say how something is sent or waited for, and those of whole runs. */
const outOfPlace = {
  image: '--image',
  seed: '--seed',
  runs: '--runs',
  thorough: '--thorough',
  path: '--path',
  callbackWait: '--callback-wait',
  patience: '--patience',
  confirm: '--confirm',
  shard: '--shard',
  contracts: '--contracts',
  suites: '--suites',
  certificate: '--certificate',
  key: '--key',
} as const satisfies Partial<Record<keyof CaptureOptions, string>>;

/**
 * `check --capture`: judges recorded traffic, sends nothing to anybody, writes the report, prints the verdict and
 * returns the exit code.
 *
 * @throws UsageError and HarnessFault (`capture-unreadable`) with exit code 2
 */
export async function runCapture(options: CaptureOptions): Promise<RunExitCode> {
  // Without --no-suites the flag is there as `true`.
  const isGiven = (name: string) => {
    const value = (options as unknown as Record<string, unknown>)[name];
    return name === 'suites' ? Array.isArray(value) : value !== undefined;
  };
  const misplaced = Object.entries(outOfPlace).find(([name]) => isGiven(name));
  if (misplaced) {
    throw new UsageError(`--capture judges what was recorded and sends nothing: omit ${misplaced[1]}.`);
  }
  if (options.json === true && options.events === '-') {
    throw new UsageError('--json and --events - both want standard output: give --events a file.');
  }
  if (options.anonymize === true && options.events !== undefined) {
    throw new UsageError('--events tells what happens as it is: leave it out, or omit --anonymize.');
  }
  const { surface, only, out, json } = options;
  const target = await optionalTargetWithFlags(options);
  const config = withoutStarting(target?.config ?? nothingConfigured);
  const capture = sortRecording(readRecording(options.capture), config);
  const selected = await selectCaptured(capture, config, options);
  const formats = await formatsNamed(options.format ?? ['html']);
  const gate = await gateOf(options, config.waivers ?? []);
  await tryOutDirectory(out);
  await assertEventsPlace(options);
  const withSecrets: ResolvedConfig = { ...config, otherSecrets: recordedSecrets(capture) };
  const redact = redactor(secretsOf(withSecrets));
  const settings: RunSettings = {
    ...runSettings(withSecrets, { ...options, seed: 0 }),
    capture,
    ...(capture.traffic && { recorded: capture.traffic }),
  };
  const again = shownWords(
    ['npx', 'svc-conform', 'check', '--capture', options.capture, ...(target?.flags ?? [])],
    redact,
  );
  using events = options.events === undefined ? undefined : RunEvents.open(options.events);
  let code: RunExitCode;
  try {
    ({ exitCode: code } = await executeChecks({
      settings,
      selected,
      run: (engine) => runCaptured(engine, capture, selected.isSelected),
      notes: [...(config.suites ? [suitesLeftOut] : []), ...captureNotes(capture, redact, options.anonymize)],
      asked: { surface, only },
      target: targetOf(capture, config, redact),
      reproduce: ({ id }) => shellCommand([...again, '--only', id]),
      out,
      formats,
      json,
      printTo: options.events === '-' ? process.stderr : process.stdout,
      gate,
      anonymize: options.anonymize,
      events,
      configFile: target?.configFile,
    }));
  } catch (error) {
    events?.stopped(error instanceof Error ? error : String(error));
    throw error;
  }
  if (events?.failure) {
    process.stderr.write(`Events are missing from ${options.events}: ${events.failure.message}\n`);
  }
  return code;
}

/** Nothing of a config is started or called: neither a client nor a container, nor an address of the endpoint. */
function withoutStarting({ container: _, observe: __, ...config }: ResolvedConfig): ResolvedConfig {
  return config;
}

/** The rules about recordings, and where it shows requests to the API those about clients; all in a moment. */
async function runCaptured(
  { settings, onCheck }: EngineOptions,
  { traffic }: Capture,
  isSelected: (id: string) => boolean,
): Promise<FinishedCheck[]> {
  const finished = await runSuites({
    settings,
    surfaces: ['capture', ...(traffic ? ['api-client'] : [])],
    onCheck: (check) => {
      if (isSelected(check.requirement)) onCheck?.(check);
    },
  });
  return finished.filter(({ requirement }) => isSelected(requirement));
}

/** Addresses as they were recorded; those of calls are not in the log of the simulated service. */
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

import { clientExchange, issuedSecrets } from '../../harness/client/client-exchange.ts';
import { runDefaults, type ResolvedConfig, type RunSettings } from '../../harness/config/settings.ts';
import type { ApiExchangeRecord } from '../../service/api/install-recording.ts';
import type { SimulatedService } from '../../service/simulated-service.ts';
import { limits } from '../../specs/limits.ts';
import { brandedOutput } from '../../run/output/branded-output.ts';
import { Brand } from '../../specs/brand.ts';
import type { RunExitCode } from '../../run/exit-code.ts';
import { CommandLineOutput } from '../../run/output/command-line-output.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import type { RunContext } from '../../run/run-context.ts';
import { runPipeline } from '../../run/run-pipeline.ts';
import { selectionOf } from '../../run/run-plan.ts';
import { knownChecks } from '../../run/plan/known-checks.ts';
import { shellCommand } from '../../run/plan/shell-command.ts';
import type { Stream } from '../../run/output/terminal.ts';

/** A client that was connected to `serve`, and what it sent. */
export interface RecordedClient {
  /** In the order in which they were answered. */
  exchanges: ApiExchangeRecord[];
  /** Already closed; its data is still available. */
  service: SimulatedService;
  config: ResolvedConfig | undefined;
  /** Directory of the report. */
  out: string;
  /** The limit was reached; later requests were not recorded. */
  isCutShort: boolean;
  /** Sentences about requests that were not recorded. */
  notes: readonly string[];
  /** Where the verdict is printed. */
  printTo: Stream;
}

/** Reported in place of a command that starts the client. */
const connected = 'a client that was connected to serve';

/** Judges a client that was connected to `serve`, writes the report, prints the verdict and returns the exit code. */
export async function recordClient(recorded: RecordedClient): Promise<RunExitCode> {
  const { exchanges, service, config, out, printTo, isCutShort } = recorded;
  const { workspace } = service.inbox;
  const brand = Brand.named(config?.brand);
  const expected = (await knownChecks())?.filter(({ requirement }) => requirement.startsWith('api-client/'));
  const settings: RunSettings = {
    ...runDefaults,
    config: {
      ...(config?.brand !== undefined && { brand: config.brand }),
      apiClient: { command: connected, timeoutSeconds: 0, directory: '.' },
      skills: config?.skills ?? [],
      stimuli: {},
      service: { host: '127.0.0.1', port: 0, ...(config?.service.apiKey && { apiKey: config.service.apiKey }) },
    },
    recorded: {
      exchanges: exchanges
        .map((record) => clientExchange(record, service.baseUrl, 'undisturbed'))
        .toSorted((a, b) => a.at - b.at),
      ...(isCutShort && { cutShort: true }),
      apiKeys: [...workspace.keys.keys()],
      keyPrefix: brand.keyPrefix,
      secrets: issuedSecrets(service),
      skills: [...workspace.agents.values()].flatMap(({ skills }) => skills),
    },
    seed: 0,
    callbackWaitMs: limits.crmCallbackWithinMs,
    callbackLimitMs: limits.crmCallbackWithinMs,
    only: [],
  };
  using printed = new CommandLineOutput({ printTo });
  const output = brandedOutput(printed, brand);
  const context: RunContext = { settings, redact: configRedactor(settings.config), now: () => new Date(), output };
  const { exitCode } = await runPipeline(context, {
    selected: {
      configured: ['api-client'],
      surfaces: ['api-client'],
      isSelected: (id) => id.startsWith('api-client/'),
      expected,
    },
    notes: [
      `${exchanges.length === 1 ? '1 request was' : `${exchanges.length} requests were`} recorded.`,
      ...recorded.notes,
    ],
    selection: selectionOf({ asked: { surface: [], only: [] }, settings }),
    out,
    formats: ['html'],
    target: { 'api-client': { url: service.baseUrl } },
    reproduce: () => shellCommand(['npx', 'svc-conform', 'serve', '--record', out]),
  });
  return exitCode;
}

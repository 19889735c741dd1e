import { containerAddress } from '../../harness/container/container-address.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { StandaloneTransport } from '../../harness/wire/harness-outbound.ts';
import { Routes } from '../../harness/wire/routes.ts';
import { TrafficLimits } from '../../harness/wire/traffic-limits.ts';
import { RecordedExchanges } from '../../harness/client/recorded-exchanges.ts';
import { secretsOf, type ResolvedConfig } from '../../harness/config/settings.ts';
import { assertCallbackRoute } from '../../harness/wire/callback-address.ts';
import { visibleControls } from '../../reports/text/visible-controls.ts';
import { Brand } from '../../specs/brand.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import { createPaint } from '../../reports/write/terminal/terminal-paint.ts';
import { redactionOf } from '../../service/without-secrets.ts';
import { withBrand } from './describe-event.ts';
import type { StepPlayer } from '../../service/step-player.ts';
import { LiveLog } from './live-log.ts';
import { openBrowser } from './open-browser.ts';
import { openPagedService } from './open-paged-service.ts';
import { SecretsFile } from './secrets-file.ts';
import { shownExchange } from './traffic-log.ts';
import { openService } from '../open-service.ts';
import { optionalTargetWithFlags } from '../../run/config/optional-target.ts';
import type { RunTarget } from '../../run/config/read-target.ts';
import { withTunnel } from '../../run/execute/with-tunnel.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import { redactor } from '../../service/redact.ts';
import type { RecordedClient } from './record-client.ts';
import type { ServeOptions } from './serve-options.ts';
import { serveBanner, type ServiceAccess } from './serve-banner.ts';
import { serviceSeed, formatEndpoints } from '../service-seed.ts';
import { namedSecrets, serviceSecrets, shownSecrets, type ServiceSecrets } from '../service-secrets.ts';
import { wantsColour, write, writeNote } from '../../run/output/terminal.ts';
import { connectableAddresses } from '../../run/config/trusted-target.ts';
import { tryOutDirectory } from '../../run/plan/try-out-directory.ts';
import type { RunExitCode } from '../../run/exit-code.ts';

/**
 * Runs the service until a signal or `POST /stop` of the control API ends it.
 *
 * @param decideExitCode receives the exit code when it is known; the last call counts, and without a call it is 0
 * @throws HarnessFault when the service cannot be started with these options
 */
export async function runService(options: ServeOptions, decideExitCode: (code: number) => void): Promise<void> {
  const { script, record, connect } = options;
  const scenario = script === undefined ? undefined : await scriptPlayer(script);
  const target = await optionalTargetWithFlags({
    ...(options.config !== undefined && { config: options.config }),
    ...(options.target !== undefined && { target: options.target }),
  });
  const config = target?.config;
  const playScript = scenario?.(connectableAddresses(config ?? {}, connect));
  const inContainer = config && containerAddress(config);
  if (inContainer !== undefined) {
    throw new HarnessFault('container-not-supported:serve', { address: inContainer });
  }
  const file = options.secrets === undefined ? undefined : await SecretsFile.read(options.secrets);
  const secrets = serviceSecrets(config, options.apiKey, process.env, file && ((name, make) => file.value(name, make)));
  await file?.save();
  if (record !== undefined) await tryOutDirectory(record);
  const { stopped, stop, signal } = stopSignal();
  const tunnel = options.tunnel ?? config?.service.tunnel;
  const given: ResolvedConfig['service'] = {
    ...config?.service,
    host: options.host ?? config?.service.host ?? '127.0.0.1',
    port: options.port ?? config?.service.port ?? 0,
    ...(tunnel !== undefined && { tunnel }),
  };
  if (config && tunnel === undefined) await warnOfWayBack({ ...config, service: given });
  const redact = config ? configRedactor(config) : redactor([], Brand.named().keyPrefix);
  const onEnd = () => writeNote('Warning: the tunnel has ended; requests to its address no longer arrive.');
  try {
    await withTunnel(given, { redact, report: writeNote, onEnd, signal }, async (service) => {
      await serveAt(service, { options, target, secrets, file, stopped, stop, playScript, decideExitCode });
    });
  } catch (error) {
    // It was stopped while it waited for the tunnel.
    if (!signal.aborted || !(error instanceof Error && error.name === 'AbortError')) throw error;
  }
}

interface ServeInput {
  options: ServeOptions;
  target: RunTarget | undefined;
  secrets: ServiceSecrets;
  file: SecretsFile | undefined;
  stopped: Promise<void>;
  stop: () => void;
  playScript: ((player: StepPlayer) => Promise<boolean>) | undefined;
  decideExitCode: (code: number) => void;
}

async function serveAt(
  { publicUrl, ...where }: ResolvedConfig['service'],
  { options, target, secrets, file, stopped, stop, playScript, decideExitCode }: ServeInput,
): Promise<void> {
  const { json = false, script, record } = options;
  const config = target?.config;
  const recorded = new RecordedExchanges();
  const brand = Brand.named(config?.brand);
  const known = config ?? {};
  await using transport = new StandaloneTransport(undefined, brand, Routes.of(known), TrafficLimits.of(known));
  using log = new LiveLog(process.stdout, { json });
  const running = await openService(where, () =>
    openPagedService({
      host: where.host,
      port: where.port,
      transport,
      secrets,
      publicUrl,
      brand,
      inboxes: [serviceSeed(config, secrets)],
      onStop: stop,
      ...(record !== undefined && { onExchange: (exchange) => recorded.add(exchange) }),
    }),
  );
  const { service, player, controlUrl, page, traffic } = running;
  const { baseUrl } = service;
  try {
    const shown = shownSecrets(secrets, target?.references ?? {}, options.apiKey);
    const access: ServiceAccess = { baseUrl, controlUrl, pageUrl: page.url, ...shown };
    const known = [...namedSecrets(secrets), ...(config ? secretsOf(config) : [])];
    const redact = redactionOf(service.inbox.workspace, known);
    if (!isLoopback(where.host.includes(':') ? `[${where.host}]` : where.host)) warnOfOpenHost(where.host);
    // A program needs the values; people find them in the file.
    const banner = serveBanner(
      { ...access, ...file?.places() },
      {
        endpoints: formatEndpoints(config ?? {}).map(redact),
        ...(script !== undefined && { script }),
        ...(record !== undefined && { record }),
        paint: createPaint(wantsColour(process.stdout)),
      },
    );
    await write(process.stdout, json ? `${JSON.stringify(firstLine(access))}\n` : banner);
    if (options.verbose) {
      traffic.listen((one) => {
        if (one.exchange.kind !== 'call')
          log.exchange(brand.value(shownExchange(one, redactionOf(service.inbox.workspace))));
      });
    }
    service.events.listen((event) => log.event(withBrand(event, brand)));
    if (options.open) {
      openBrowser(page.url, {
        secrets: known.map(({ value }) => value),
        onFailure: (reason) => writeNote(`Warning: the browser could not be opened (${reason}); open ${page.url}`),
      });
    }
    const played = playScript?.(player).then((isComplete) => {
      if (!isComplete) decideExitCode(1);
    });
    if (played) await Promise.race([played, stopped]);
    await stopped;
  } finally {
    await running[Symbol.asyncDispose]();
  }
  if (record === undefined) return;
  const { kept: exchanges, notes, omitted } = recorded;
  // With --json standard output has only events.
  const printTo = json ? process.stderr : process.stdout;
  const code = await report({ exchanges, notes, isCutShort: omitted > 0, service, config, out: record, printTo });
  decideExitCode(code);
}

// Loaded only when needed, in separate functions: tsc does not rewrite the specifiers of dynamic imports in a function with `using`.
async function scriptPlayer(file: string) {
  const { assertConnectable, playScript, readScript } = await import('./play-script.ts');
  const script = await readScript(file);
  return (allowed: ReadonlySet<string>) => {
    assertConnectable(script, allowed);
    return (player: StepPlayer) => playScript(script, player);
  };
}

async function report(recorded: RecordedClient): Promise<RunExitCode> {
  const { recordClient } = await import('./record-client.ts');
  return await recordClient(recorded);
}

/** The first line of `--json`, with the fields in this order. */
function firstLine({ baseUrl, apiKey, controlUrl, agentSecret, webhookToken, webhookSecret, pageUrl }: ServiceAccess) {
  return { baseUrl, apiKey, controlUrl, agentSecret, webhookToken, webhookSecret, pageUrl };
}

/** Warns if the public address does not lead to the service. Not an error: a tunnel may be started later. */
async function warnOfWayBack(config: ResolvedConfig): Promise<void> {
  try {
    await assertCallbackRoute(config, ['api-client']);
  } catch (error) {
    // A port that is in use is reported when the service itself listens on it.
    if (!(error instanceof HarnessFault) || error.code !== 'public-url-astray') return;
    process.stderr.write(`Warning: ${visibleControls(error.message)}\n`);
  }
}

function warnOfOpenHost(host: string): void {
  process.stderr.write(
    [
      `Warning: the service listens on ${host} and is reachable from other machines. Anyone with the API key or the control`,
      'address can use it. Set service.publicUrl in the config to the address at which your endpoint reaches it.\n',
    ].join(' '),
  );
}

/**
 * `stopped` resolves, and `signal` aborts, at the first SIGINT or SIGTERM, or by `stop`; a second signal ends the process.
 */
function stopSignal(): { stopped: Promise<void>; stop: () => void; signal: AbortSignal } {
  const controller = new AbortController();
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stop = () => {
    controller.abort();
    resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  return { stopped, stop, signal: controller.signal };
}

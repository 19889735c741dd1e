import { describeFileError } from '../../specs/faults/describe-file-error.ts';
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HarnessOutbound, StandaloneTransport } from '../../harness/wire/harness-outbound.ts';
import { withTunnel, withUsedTunnel } from '../../run/execute/with-tunnel.ts';
import { Routes } from '../../harness/wire/routes.ts';
import { TrafficLimits } from '../../harness/wire/traffic-limits.ts';
import { containerAddress } from '../../harness/container/container-address.ts';
import { configuredSurfaces } from '../../harness/config/resolve-config.ts';
import { fileBounds, readBoundedJson, type ReadJson } from '../../specs/bounded-json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { createPaint } from '../../reports/write/terminal/terminal-paint.ts';
import { SimulatedService } from '../../service/simulated-service.ts';
import { openService } from '../open-service.ts';
import { optionalTarget } from '../../run/config/optional-target.ts';
import { readOverride, type Override } from './override.ts';
import { clockBefore } from './prepared-appointment.ts';
import { RewritingOutbound } from './rewriting-outbound.ts';
import { sendCall } from './send-call.ts';
import { sendMessage, sendPing } from './send-chat.ts';
import type { SendContext, SendResult } from './send-context.ts';
import { sendCrmEvent } from './send-crm-event.ts';
import { sendAppointmentEvent } from './send-appointment-event.ts';
import { sendJson, type SentExchange, renderSend } from './send-view.ts';
import { appointmentEventOf, sendable, type Sendable } from './sendable.ts';
import type { SendOptions } from './send-options.ts';
import { serviceSecrets } from '../service-secrets.ts';
import { serviceSeed } from '../service-seed.ts';
import { outputWidth, wantsColour, write, writeNote } from '../../run/output/terminal.ts';
import { tryServiceAddress } from '../../run/plan/try-service-address.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import { configKeyOf } from '../../specs/surfaces.ts';
import { endpointFlags } from '../../specs/endpoint-flags.ts';
import { Brand } from '../../specs/brand.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** Exit codes of `send`; 2 is wrong usage. */
const exitCodes = { usable: 0, notUsable: 1, unreachable: 3 } as const;

/** Sends one event or call, prints the result and returns the exit code. Throws {@link HarnessFault}. */
export async function sendOne(what: string, options: SendOptions): Promise<number> {
  const thing = sendable(what);
  checkFlags(thing, options);
  const sets = options.sets.map(({ form, text }) => readOverride(text, form));
  const given = options.body === undefined ? undefined : await bodyOf(options.body);
  checkBody(thing, { file: options.body, read: given && readBoundedJson(given, fileBounds), overrides: sets });
  const config = onlyFor(thing, await optionalTarget(options));
  // Nothing comes back after a ping.
  const asked = withUsedTunnel(config.service, thing.name === 'ping' ? [] : [thing.surface]);
  const progress = { redact: configRedactor(config), report: writeNote };
  return await withTunnel(asked, progress, async (service, assertOpen) => {
    const code = await sendTo({ ...config, service }, thing, { options, sets, given });
    await assertOpen();
    return code;
  });
}

interface SentInput {
  options: SendOptions;
  sets: readonly Override[];
  given: Uint8Array | undefined;
}

async function sendTo(config: ResolvedConfig, thing: Sendable, { options, sets, given }: SentInput): Promise<number> {
  const brand = Brand.named(config.brand);
  const overrides = sets.map(({ path, ...rest }): Override => ({ ...rest, path: brand.value(path) }));
  // Only events to the CRM have branded fields; a signed body is sent unchanged.
  const bytes = given && thing.surface === 'crm-webhook' ? brand.body(given) : given;
  const read = bytes && readBoundedJson(bytes, fileBounds);
  const body = read && 'value' in read ? read.value : undefined;
  const secrets = serviceSecrets(config, options.apiKey, process.env);
  const exchanges: SentExchange[] = [];
  const secret = thing.surface === 'api-webhooks' ? secrets.webhookSecret : secrets.agentSecret;
  await using wire = new StandaloneTransport(
    (exchange) => exchanges.push(exchange),
    brand,
    Routes.of(config),
    TrafficLimits.of(config),
  );
  await using direct = new HarnessOutbound(wire);
  const outbound = new RewritingOutbound(direct, { overrides, body: bytes, secret });
  // The endpoint is connected only after the preparation, so that it does not receive those events.
  const { crmWebhook: _crm, apiWebhooks: _hooks, ...atOnce } = config;
  const { host, port, publicUrl } = config.service;
  await tryServiceAddress(config, thing.name === 'ping' ? [] : configuredSurfaces(config));
  await using service = await openService({ host, port }, () =>
    SimulatedService.open({
      outbound,
      host,
      port,
      publicUrl,
      brand,
      // An endpoint that stores data must not see an id again in another conversation.
      firstId: randomInt(1_000_000, 90_000_000),
      inboxes: [serviceSeed(atOnce, secrets)],
      ...(appointmentEventOf(thing.name) && { clock: clockBefore() }),
    }),
  );
  const context: SendContext = { service, config, overrides, body, wait: options.wait, report: writeNote };
  const result = await send(thing, context, options);
  const notes = [...(result.notes ?? []), ...addedNotes(outbound)];
  const redact = configRedactor(config, [{ name: 'API key', value: secrets.apiKey }]);
  const report = {
    exchanges: exchanges.map((exchange) => onWire(exchange, brand)),
    redact,
    result: brand.value({ ...result, notes }),
  };
  const paint = createPaint(wantsColour(process.stdout));
  const width = outputWidth(process.stdout);
  const text = options.json ? `${sendJson(report)}\n` : renderSend(report, { paint, width });
  await write(process.stdout, text, { notation: options.json ? 'json' : 'plain' });
  const isReached = exchanges.some(({ answer }) => answer.outcome !== 'unreachable');
  if (!isReached) return exitCodes.unreachable;
  return result.isUsable ? exitCodes.usable : exitCodes.notUsable;
}

async function send(thing: Sendable, context: SendContext, { text, acts }: SendOptions): Promise<SendResult> {
  switch (thing.surface) {
    case 'own-ai-chat':
      return thing.name === 'ping' ? await sendPing(context) : await sendMessage(context, text);
    case 'own-ai-phone':
      return await sendCall(context, acts);
    case 'api-webhooks':
      return await sendAppointmentEvent(context, thing.name);
    case 'crm-webhook':
      return await sendCrmEvent(context, thing.name);
  }
}

/** The exchange with the names that were sent and received. */
function onWire<Exchange extends SentExchange>(exchange: Exchange, brand: Brand): Exchange {
  const { request, answer } = exchange;
  const received = answer.outcome === 'answered' ? { ...answer, body: brand.body(answer.body) } : answer;
  return { ...exchange, request: brand.request(request), answer: received };
}

function checkFlags({ surface, name }: Sendable, { text, acts }: SendOptions): void {
  if (text !== undefined && name !== 'message.received') {
    throw new HarnessFault('flag-not-applicable:text', { name });
  }
  if (acts.length > 0 && surface !== 'own-ai-phone') {
    throw new HarnessFault('flag-not-applicable:speech', { name });
  }
}

function checkBody(
  { surface }: Sendable,
  { file, read, overrides }: { file: string | undefined; read: ReadJson | undefined; overrides: readonly Override[] },
): void {
  if (read === undefined) return;
  const isObject = 'value' in read && isJsonObject(read.value);
  // A body that need not be parsed is sent unchanged, however deep it is.
  if ('unread' in read && (overrides.length > 0 || surface === 'own-ai-phone')) {
    throw new HarnessFault('override-invalid:body-unread', { file: file ?? '', received: read.error });
  }
  if (overrides.length > 0 && !isObject) {
    throw new HarnessFault('override-invalid:body-object');
  }
  if (surface === 'own-ai-phone' && !isObject) {
    throw new HarnessFault('override-invalid:body-frame');
  }
}

/** Reduces the config to the endpoint of the event, so that nothing is sent to another one. */
function onlyFor({ surface, name }: Sendable, config: ResolvedConfig | undefined): ResolvedConfig {
  const key = configKeyOf(surface);
  const endpoint = config?.[key];
  const { urlFlag, credentialFlag } = endpointFlags[surface];
  const flags = `${urlFlag} ADDRESS ${credentialFlag} env:NAME`;
  if (!endpoint) {
    const where = config === undefined ? 'a config file (none was found in this directory or above)' : 'the config';
    throw new HarnessFault('endpoint-missing:send', { name, key, where, flags });
  }
  const { brand, skills, stimuli, service, routes, limits } = config;
  const only = {
    ...(brand !== undefined && { brand }),
    skills,
    stimuli,
    service,
    ...(routes && { routes }),
    ...(limits && { limits }),
    [key]: endpoint,
  };
  const inContainer = containerAddress(only);
  if (inContainer !== undefined) {
    throw new HarnessFault('container-not-supported:send', { key, address: inContainer, flags });
  }
  return only;
}

function addedNotes({ added }: RewritingOutbound): string[] {
  return [...added].map(([path, hint]) => `The service does not send ${path}; it was added.${hint}`);
}

async function bodyOf(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new HarnessFault(
      'file-unreadable:flag',
      { flag: '--body', file, reason: describeFileError(error) },
      { cause: error },
    );
  }
}

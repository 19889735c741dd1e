import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, test, vi, type TestContext } from 'vitest';
import { setCheckHost, type CheckHost } from '../harness/checks/check-host.ts';
import type { CheckOutcome, CheckIdentity } from '../harness/checks/check-outcome.ts';
import { maxConcurrency } from '../harness/checks/engine.ts';
import { registerPhases } from '../harness/checks/register-phases.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { Session } from '../harness/checks/session.ts';
import { observingSuites } from '../harness/checks/observed-suites.ts';
import type { RunSettings } from '../harness/config/settings.ts';
import { Brand } from '../specs/brand.ts';
import { ownRoot, suiteFiles } from '../harness/checks/suite-files.ts';
import { ConformanceFailure, formatFailure } from './conformance-failure.ts';
import { conformanceSettings, type ConformanceOptions } from './conformance-settings.ts';

/** Counts the calls, so that suites loaded by an earlier call are loaded again. */
let calls = 0;

/** Registers the checks of the configured surfaces inside the enclosing `describe`. */
export async function registerSuites(options: ConformanceOptions): Promise<void> {
  const { settings, surfaces } = await conformanceSettings(options).catch((error: unknown) => {
    // A stack in our code does not help with a config.
    throw error instanceof HarnessFault ? new ConformanceFailure(error.message) : error;
  });
  const call = ++calls;
  const files = suiteFiles(surfaces);
  const observing = observingSuites(files, settings, ownRoot);
  setCheckHost(
    hostOf({ ...settings, surfaces, ...(observing.length > 0 && { observedOnly: true as const }) }, options),
  );
  // Most checks wait for the endpoint; Vitest's default limit would make them wait for each other.
  beforeAll(() => vi.setConfig({ maxConcurrency }));
  registerPhases([...files, ...observing], settings.config, (file) => {
    const { href } = pathToFileURL(join(ownRoot, file));
    return import(/* @vite-ignore */ `${href}?conformance=${call}`);
  });
}

/** Registers checks as tests of the calling file. */
function hostOf(settings: RunSettings, { failOn = 'must' }: ConformanceOptions): CheckHost {
  let session: Promise<Session> | undefined;
  afterAll(async () => {
    // A session that could not be opened has failed the tests that need it.
    const opened = await session?.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  });
  return {
    settings,
    add: (check, timeout, run) => {
      const title = Brand.named(settings.config.brand).text(check.title);
      test(`${title} [${check.requirement}]`, { meta: { check }, timeout }, async (context) => {
        session ??= Session.open(settings);
        const outcome = await run(await session, { bookedErrors: () => [] });
        await reportOutcome(check, outcome, { context, settings, failOn });
      });
    },
  };
}

/** Reports the outcome of a check to Vitest. */
async function reportOutcome(
  check: CheckIdentity,
  outcome: CheckOutcome,
  { context, settings, failOn }: { context: TestContext; settings: RunSettings; failOn: 'must' | 'should' },
): Promise<void> {
  const { verdict } = outcome;
  const brand = Brand.named(settings.config.brand);
  const message = brand.text(outcome.message ?? '');
  if (verdict === 'pass') {
    if (message !== '') await context.annotate(message, 'notice');
    return;
  }
  if (verdict === 'not-exercised' || verdict === 'not-applicable') context.skip(message);
  const failure = new ConformanceFailure(brand.text(formatFailure(check, outcome, settings)));
  if (verdict === 'blocked') throw failure;
  const waiver = settings.config.waivers?.find(({ requirement }) => requirement === check.requirement);
  const isWaived = waiver !== undefined && new Date().toISOString().slice(0, 10) <= waiver.until;
  const counts = check.level === 'must' || (check.level === 'should' && failOn === 'should');
  if (counts && !isWaived) throw failure;
  const excuse = isWaived ? `Waived until ${waiver.until} (${waiver.reason}): ` : `${check.level}: `;
  await context.annotate(`${excuse}${message}`, 'warning');
  // Vitest's default reporter shows annotations only for failed tests.
  console.warn(`${check.id}\n${excuse}${message}`);
}

import { expect, inject, test, TestRunner } from 'vitest';
import type { CheckOutcome, CheckIdentity } from './check-outcome.ts';
import { Session } from './session.ts';
import { reportWaits } from '../wire/processor-wait.ts';
import type { RunSettings } from '../config/settings.ts';

/** The context that Vitest passes to the test of a check. */
export interface CheckTest {
  /** Errors of the test that were recorded but not thrown, as by `expect.soft`. */
  readonly bookedErrors: () => readonly { message: string }[];
}

/** Runs one check to completion. */
export type RunCheck = (session: Session, test: CheckTest) => Promise<CheckOutcome>;

/** A Vitest run that checks are part of: our engine's, or one started by the integrator. */
export interface CheckHost {
  readonly settings: RunSettings;
  /** Registers a test that runs the check. `timeout` in milliseconds is far longer than a check may take. */
  readonly add: (check: CheckIdentity, timeout: number, run: RunCheck) => void;
}

const sessionTest = test.extend('session', { scope: 'worker' }, async ({}, { onCleanup }) => {
  reportWaits();
  const session = await Session.open(inject('settings'));
  onCleanup(() => session[Symbol.asyncDispose]());
  return session;
});

/** Our engine provides the settings and reads the outcome of each check from its test. */
const engine: CheckHost = {
  get settings() {
    // `undefined` outside our engine, whatever the type says.
    const settings = inject('settings') as RunSettings | undefined;
    if (settings) return settings;
    throw new Error(
      'Run checks with: npx svc-conform check (--suites for your own). In your own Vitest project, use conformance() of svc-conform/vitest.',
    );
  },
  add: (check, timeout, run) => {
    sessionTest(check.title, { meta: { check }, timeout }, async ({ session, task }) => {
      const outcome = await run(session, { bookedErrors: () => task.result?.errors ?? [] });
      task.meta.outcome = outcome;
      if (outcome.verdict === 'fail') expect.fail(`${check.id}: ${outcome.message ?? ''}`);
    });
  },
};

/** Hosts by the suite that contains their checks. */
const others = new WeakMap<object, CheckHost>();

/** The host of the check that is being registered. */
export function currentHost(): CheckHost {
  for (let { suite } = TestRunner.getCurrentSuite(); suite; { suite } = suite) {
    const host = others.get(suite);
    if (host) return host;
  }
  return engine;
}

/** Assigns every check of the enclosing `describe` to this host. */
export function setCheckHost(host: CheckHost): void {
  const { suite } = TestRunner.getCurrentSuite();
  if (!suite) throw new TypeError('setCheckHost() must be called inside a describe.');
  others.set(suite, host);
}

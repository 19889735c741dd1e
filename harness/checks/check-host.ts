import { expect, inject, test, TestRunner } from 'vitest';
import type { CheckIdentity, CheckOutcome } from './check.ts';
import { Session } from './session.ts';
import type { RunSettings } from '../config/settings.ts';

/** What the test of a check is given by Vitest. */
export interface CheckTest {
  /** What was booked to the test without being thrown, as `expect.soft` does. */
  readonly bookedErrors: () => readonly { message: string }[];
}

/** Runs one check to its end. */
export type RunCheck = (session: Session, test: CheckTest) => Promise<CheckOutcome>;

/** A Vitest run that checks are part of: one of our engine, or one that somebody else has started. */
export interface CheckHost {
  readonly settings: RunSettings;
  /** Registers a test that runs the check. Milliseconds of `timeout` are far beyond what the check may take. */
  readonly add: (check: CheckIdentity, timeout: number, run: RunCheck) => void;
}

const sessionTest = test.extend('session', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const session = await Session.open(inject('settings'));
  onCleanup(() => session[Symbol.asyncDispose]());
  return session;
});

/** Our engine hands the settings over, and reads the outcome of each check from its test. */
const engine: CheckHost = {
  get settings() {
    // Absent where nobody has provided it, whatever its type says.
    const settings = inject('settings') as RunSettings | undefined;
    if (settings) return settings;
    throw new Error(
      'Checks run by: npx svc-conform check (with --suites for those of your own). In a Vitest project of your own, conformance() of svc-conform/vitest runs ours.',
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

/** By the suite below which their checks stand. */
const others = new WeakMap<object, CheckHost>();

/** The run that a check belongs to which is registered at this moment. */
export function currentHost(): CheckHost {
  for (let { suite } = TestRunner.getCurrentSuite(); suite; { suite } = suite) {
    const host = others.get(suite);
    if (host) return host;
  }
  return engine;
}

/** From within the body of a `describe`: every check below it belongs to this run. */
export function setCheckHost(host: CheckHost): void {
  const { suite } = TestRunner.getCurrentSuite();
  if (!suite) throw new TypeError('Checks are hosted below a describe.');
  others.set(suite, host);
}

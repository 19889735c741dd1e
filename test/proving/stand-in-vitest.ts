/**
 * The parts of Vitest that suites and the harness use to register checks, for runs without it: see `run-registered.ts`.
 * Every other export is missing, so its use fails.
 */
import type { CheckOutcome, CheckIdentity } from '../../harness/checks/check-outcome.ts';
import type { Session } from '../../harness/checks/session.ts';
import type { RunSettings } from '../../harness/config/settings.ts';

type Body = (context: {
  session: Session;
  task: { meta: { outcome?: CheckOutcome }; result?: { errors: [] } };
}) => Promise<void>;

/** A check that a suite has registered. */
export interface Registered {
  check: CheckIdentity;
  /** Milliseconds. */
  timeout: number;
  body: Body;
}

let settings: RunSettings | undefined;
let registered: Registered[] = [];

/** Runs the function that registers checks for these settings, and returns the checks in order. */
export async function registering(given: RunSettings, load: () => Promise<unknown>): Promise<Registered[]> {
  settings = given;
  registered = [];
  await load();
  return registered;
}

export const inject = (): RunSettings | undefined => settings;
export const describe = { concurrent: (_name: string, body: () => void) => body() };
export const TestRunner = { getCurrentSuite: () => ({}) };
export const test = {
  skip: () => undefined,
  extend:
    () =>
    (_title: string, { meta, timeout }: { meta: { check: CheckIdentity }; timeout: number }, body: Body) => {
      registered.push({ check: meta.check, timeout, body });
    },
};

type Matcher = (received: unknown, ...rest: unknown[]) => { pass: boolean; message: () => string };

const matchers = new Map<string, Matcher>();

export const expect = Object.assign(
  (received: unknown) =>
    Object.fromEntries(
      Array.from(matchers, ([name, matcher]) => [
        name,
        (...rest: unknown[]) => {
          const { pass, message } = matcher(received, ...rest);
          if (!pass) throw new Error(message());
        },
      ]),
    ),
  {
    extend: (more: Record<string, Matcher>) => {
      for (const [name, matcher] of Object.entries(more)) matchers.set(name, matcher);
    },
    fail: (message: string) => {
      throw new Error(message);
    },
  },
);

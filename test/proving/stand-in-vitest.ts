/**
 * The parts of Vitest that suites and the harness use to register checks, for runs without it: see `run-registered.ts`
 * and `test/bin/hosted-engine.ts`.
 * Every other export is missing, so its use fails.
 */
import type { CheckOutcome, CheckIdentity } from '../../harness/checks/check-outcome.ts';
import type { ServiceDeviation } from '../../harness/capture/capture.ts';
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

/** A test without a check: it only reports something. */
export interface PlainTest {
  report: (context: { task: { meta: { deviations?: readonly ServiceDeviation[] } } }) => void;
}

/** A `describe`, with the one around it under the name that Vitest uses. */
export interface Group {
  isConcurrent: boolean;
  suite: Group | undefined;
  children: (Group | Registered | PlainTest)[];
  body: () => unknown;
}

let settings: RunSettings | undefined;
const outermost = (body: () => unknown): Group => ({ isConcurrent: false, suite: undefined, children: [], body });
let current = outermost(() => undefined);

/** Runs the function that registers checks for these settings, and returns what it has registered. One at a time. */
export async function registering(given: RunSettings, load: () => unknown): Promise<Group> {
  settings = given;
  const root = outermost(load);
  await collect(root);
  return root;
}

/** As in Vitest, a `describe` registers its children when the one around it has ended. */
async function collect(group: Group): Promise<void> {
  current = group;
  await group.body();
  for (const child of group.children) if ('children' in child) await collect(child);
}

/** The checks of a group and of all groups in it, in order. */
export function checksIn({ children }: Group): Registered[] {
  return children.flatMap((child) => ('children' in child ? checksIn(child) : 'check' in child ? [child] : []));
}

export const inject = (): RunSettings | undefined => settings;

function addGroup(isConcurrent: boolean, body: () => unknown): void {
  current.children.push({ isConcurrent, suite: current, children: [], body });
}
export const describe = Object.assign(
  (_name: string, { concurrent }: { concurrent: boolean }, body: () => unknown) => addGroup(concurrent, body),
  { concurrent: (_name: string, body: () => unknown) => addGroup(true, body) },
);
export const TestRunner = { getCurrentSuite: () => ({ suite: current }) };
export const test = Object.assign(
  (_title: string, report: PlainTest['report']) => {
    current.children.push({ report });
  },
  {
    skip: () => undefined,
    extend:
      () =>
      (_title: string, { meta, timeout }: { meta: { check: CheckIdentity }; timeout: number }, body: Body) => {
        current.children.push({ check: meta.check, timeout, body });
      },
  },
);

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

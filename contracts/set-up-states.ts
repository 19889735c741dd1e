import { meaningOf, type StimulusPath } from '../generators/contracts/provider-states.ts';
import { parseJson } from '../harness/checks/json.ts';
import { isJsonObject } from '../specs/json-object.ts';
import type { Session } from '../harness/checks/session.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { setUpTimeoutMs } from './contract-timeouts.ts';
import type { PactInteraction } from './pact-file.ts';

type States = NonNullable<PactInteraction['providerStates']>;
type RequestedState = States[number];

/** The result of setting up the states of an interaction. */
export interface StateSetUp {
  /** Replaces examples in the request (`fromProviderState`). */
  readonly values: Readonly<Record<string, unknown>>;
  /** Sentences and numbers that produce the states, by their place in `stimuli`. */
  readonly stimuli: Readonly<Partial<Record<StimulusPath, string>>>;
  /**
   * Why a state may not be set up. The interaction is tried anyway, since the endpoint may be in the state; a mismatch
   * is then not a fault.
   */
  readonly missing?: string;
}

/** Missing answers of the address per run; each costs the whole timeout. */
const mostSilences = 2;
const silences = new WeakMap<Session, number>();

/**
 * Sets up the states of an interaction: through the integrator's address for it (`pact.providerStates`), with a
 * stimulus of the config, or through the request itself. An address that gives no answer is called once more in a run.
 *
 * @param timeoutMs for one answer of the address
 * @throws HarnessFault when the address cannot be reached
 */
export async function setUpStates(
  states: States,
  session: Session,
  timeoutMs: number = setUpTimeoutMs,
): Promise<StateSetUp> {
  const values: Record<string, unknown> = {};
  const stimuli: Partial<Record<StimulusPath, string>> = {};
  const missing: string[] = [];
  for (const state of states) {
    const meaning = meaningOf(state.name);
    if (meaning?.by === 'request') continue;
    const asked = await askFor(state, 'setup', session, timeoutMs);
    const stimulus = meaning?.stimulus && stimulusOf(session.settings.config, meaning.stimulus);
    if (stimulus !== undefined && meaning?.gives) values[meaning.gives] = stimulus;
    if (asked?.done) Object.assign(values, asked.values);
    else if (stimulus === undefined) missing.push(describeMissing(state, meaning?.stimulus, asked?.status));
    const given = meaning?.gives && values[meaning.gives];
    if (meaning?.stimulus !== undefined && typeof given === 'string') stimuli[meaning.stimulus] = given;
  }
  return { values, stimuli, ...(missing.length > 0 && { missing: missing.join(' ') }) };
}

/** Notifies the integrator's address that the states are no longer needed. Its answer changes nothing. */
export async function tearDownStates(
  states: States,
  session: Session,
  timeoutMs: number = setUpTimeoutMs,
): Promise<void> {
  for (const state of states.toReversed()) {
    if (meaningOf(state.name)?.by === 'request') continue;
    try {
      await askFor(state, 'teardown', session, timeoutMs);
    } catch {
      // The interaction was already judged.
    }
  }
}

/** POSTs the request of Pact's verifiers; `undefined` without an address. */
async function askFor(
  { name, params = {} }: RequestedState,
  action: 'setup' | 'teardown',
  session: Session,
  timeoutMs: number,
): Promise<{ done: boolean; status: number; values: Record<string, unknown> } | undefined> {
  const url = session.settings.config.pact?.providerStates?.url;
  if (url === undefined) return undefined;
  const unanswered = { done: false, status: 0, values: {} };
  if ((silences.get(session) ?? 0) >= mostSilences) return unanswered;
  const { answer } = await session.send(
    () => ({
      method: 'POST',
      url,
      headers: [
        ['Content-Type', 'application/json'],
        ['User-Agent', 'svc-conform'],
      ],
      body: Buffer.from(JSON.stringify({ state: name, params, action })),
    }),
    // It is not an endpoint under test, so a missing answer is counted here.
    { label: `${action} of the state “${name}”`, timeoutMs, timed: true },
  );
  silences.set(session, answer.outcome === 'no-answer' ? (silences.get(session) ?? 0) + 1 : 0);
  if (answer.outcome !== 'answered') return unanswered;
  const parsed = parseJson(answer.body);
  const value = 'value' in parsed ? parsed.value : undefined;
  return {
    done: answer.status >= 200 && answer.status < 300,
    status: answer.status,
    values: isJsonObject(value) ? value : {},
  };
}

function stimulusOf({ stimuli }: ResolvedConfig, path: StimulusPath): string | undefined {
  if (path === 'knownCaller') return stimuli.knownCaller;
  const [surface, name] = path.split('.') as ['chat' | 'phone', string];
  return (stimuli[surface] as Record<string, string | undefined> | undefined)?.[name];
}

function describeMissing(
  { name }: RequestedState,
  stimulus: StimulusPath | undefined,
  status: number | undefined,
): string {
  const answered =
    status === undefined
      ? ''
      : ` (${status === 0 ? 'the address of pact.providerStates gave no answer' : `the address of pact.providerStates answered ${status}`})`;
  const ways = [
    ...(stimulus === undefined ? [] : [`stimuli.${stimulus} in the config`]),
    ...(status === undefined ? ['an address at pact.providerStates.url that sets it up'] : ['a set-up of it there']),
  ];
  return `The state “${name}” was not set up${answered}: add ${ways.join(', or ')}.`;
}

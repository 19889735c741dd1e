import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Connection } from '../connection.ts';
import { nothingSeen, type Failing, type Outcome, type Probe } from '../outcome.ts';
import { DeduplicationDesk } from './deduplication-desk.ts';
import { eventMaker, openEvent } from './delivered-events.ts';
import { findForgotten, type Finding, type Open } from './find-forgotten.ts';
import { findMixedUp } from './find-mixed-up.ts';

/**
 * By what the endpoint knows a delivery again: `callbackUrl`, `X-Svc-Delivery-Id` or the id of a chat event, as it
 * should, or by something else, or by nothing (interface: CRM webhook events, API webhook events). Effects are seen in the
 * state at `observe`, in API v1, in callbacks and replies. A chat is never sent an event again by the service, so one is
 * looked at only for a check that failed.
 */
export const diagnoseDeduplication: Probe = async (connection, failing) => {
  try {
    return await diagnose(connection, failing);
  } catch (error) {
    // Somebody's address of `observe` does not work: what it would have shown is not known.
    if (!(error instanceof HarnessFault) || error.code !== 'observe-failed') throw error;
    return { ...nothingSeen, seen: [error.message] };
  }
};

const noEffect =
  'No effect of a delivery could be seen (in callbacks or at observe in the config), so it is not known whether one that comes again has a second effect.';

async function diagnose(connection: Connection, failing: Failing | undefined): Promise<Outcome> {
  if (connection.surface === 'own-ai-phone') return nothingSeen;
  const desk = new DeduplicationDesk(connection);
  if (connection.surface === 'own-ai-chat') {
    if (failing === undefined) return nothingSeen;
    return outcomeOf(desk, await ofChat(desk), ['A chat event that comes again has no second effect.']);
  }
  const maker = eventMaker(connection);
  const type = await typeWithEffect(desk, maker.types, (name) => openEvent(connection, maker.fresh(name)));
  const open: Open = () => openEvent(connection, maker.fresh(type ?? maker.types[0] ?? ''));
  const forgotten = await findForgotten(desk, open, maker.key);
  if (forgotten) return outcomeOf(desk, forgotten, []);
  if (type === undefined) return { ...nothingSeen, seen: desk.seen, notObserved: [noEffect] };
  const mixedUp = await findMixedUp(desk, maker, type);
  return outcomeOf(desk, mixedUp, [
    `A delivery with the same ${maker.key} again has no second effect, one after the other and at once.`,
    `Different deliveries are told apart though all else in them is the same.`,
  ]);
}

/** The first of these types whose effect can be seen; what one adds is then what others are compared with. */
async function typeWithEffect(
  desk: DeduplicationDesk,
  types: readonly string[],
  open: (type: string) => ReturnType<Open>,
): Promise<string | undefined> {
  for (const type of types) {
    const brought = await desk.send(`an event of type ${type}`, open(type));
    if (!brought?.accepted || brought.growth.size === 0) continue;
    desk.reference = brought.growth;
    return type;
  }
  return undefined;
}

async function ofChat(desk: DeduplicationDesk): Promise<Finding | undefined> {
  const { sample } = desk.connection.session;
  const sentence = desk.connection.config.stimuli.chat?.async;
  const open: Open = () => {
    const event = sample.messageReceived();
    const { data } = event;
    const message = sentence === undefined ? data.message : { ...data.message, text: sentence };
    return openEvent(desk.connection, { ...event, data: { ...data, message } });
  };
  const brought = await desk.send('a message', open());
  if (!brought?.accepted || brought.growth.size === 0) return undefined;
  desk.reference = brought.growth;
  return await findForgotten(desk, open, 'id');
}

function outcomeOf(desk: DeduplicationDesk, finding: Finding | undefined, fine: readonly string[]): Outcome {
  return {
    found: finding?.found,
    suspects: finding?.suspect ? [finding.suspect] : [],
    fine: finding || desk.reference.size === 0 ? [] : fine,
    seen: desk.seen,
  };
}

import type { CheckKit } from '../../harness/checks/check.ts';
import { notReadFault } from '../not-read-fault.ts';
import { conclude } from '../matchers/expect.ts';
import { describeAnswer } from '../matchers/describe-answer.ts';
import { awaitCallbacks } from './callbacks.ts';
import { contactIn, isAnsweredLookup, phoneIn } from './lookup-contact.ts';
import { dataPart } from './typical-answers.ts';

/** Judges whether a lookup of the configured caller brought the contact, at once or by callback. */
export async function judgeKnownCaller(kit: CheckKit): Promise<void> {
  const { knownCaller } = kit.settings.config.stimuli;
  if (knownCaller === undefined) return kit.notExercised('No stimuli.knownCaller is configured.');
  await awaitCallbacks(kit);
  const lookups = kit.crm.delivered.filter(
    (delivery) => isAnsweredLookup(delivery) && phoneIn(delivery.event) === knownCaller,
  );
  const [first] = lookups;
  if (!first) return kit.notExercised('No lookup of the configured caller was answered 200, 202 or 204.');
  const found = lookups.map(contactIn);
  const withContact = found.find((one) => one.kind === 'contact');
  if (withContact) return conclude(withContact.exchange, undefined);
  for (const one of found) if (one.kind === 'unread') throw notReadFault(one.why, one.exchange);
  if (found.some(({ kind }) => kind === 'pending')) {
    return kit.notExercised('Lookups of the configured caller were answered 202, and not every callback came.');
  }
  conclude(first, {
    expected: `requestContactUpdate true with contactData in an answer to a lookup of stimuli.knownCaller`,
    received: `${lookups.length} answers without it, the first of them ${describeAnswer(first.answer)}`,
    hint: 'Check that the data of the endpoint under test contains this phone number, and that it finds the number in international form.',
    part: dataPart(first),
  });
}

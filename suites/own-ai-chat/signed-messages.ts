import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatCase } from '../../harness/wire/chat-driver.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { once } from '../once.ts';
import { badSignatures } from '../signature-cases.ts';
import type { SignatureSubject } from '../signed-deliveries.ts';
import { wrongSecrets } from '../wrong-secrets.ts';
import { messageWithText } from './typical-answers.ts';

/** A message as it was posted with a signature that must be refused. */
export interface PostedMessage {
  /** The conversation of the message, where an effect of it would arrive. */
  message: ChatCase;
  observation: Observation;
  /** When it was answered, on the clock of `performance.now()`. */
  answeredAt: number;
}

/** Messages by their event, which every delivery made of them keeps. */
const messages = new WeakMap<object, ChatCase>();
const posted = new WeakMap<CheckKit['session'], Map<string, PostedMessage>>();

/** How the checks of signatures send chat messages. */
export const signedMessages: SignatureSubject = {
  name: 'own-ai-chat',
  // A message that is answered later shows an effect, whatever the answer to the delivery is.
  sign: (kit, write) => {
    const later = write ? undefined : kit.settings.config.stimuli.chat?.async;
    const over = later === undefined ? {} : messageWithText(kit, later);
    const message = kit.chat.open(kit.sample.messageReceived(over), write && { write });
    messages.set(message.event, message);
    return message.delivery;
  },
  signText: (kit, text) => kit.chat.open(kit.sample.messageReceived(messageWithText(kit, text))).delivery,
  post: async (kit, delivery, options) => {
    const observation = await kit.chat.post(delivery, options);
    const message = options.toBeRefused ? messages.get(delivery.event as object) : undefined;
    if (message) postedIn(kit).set(options.label, { message, observation, answeredAt: performance.now() });
    return observation;
  },
};

function postedIn({ session }: CheckKit): Map<string, PostedMessage> {
  let all = posted.get(session);
  if (!all) posted.set(session, (all = new Map<string, PostedMessage>()));
  return all;
}

/** A way to sign that must be refused. */
export interface RefusedSignature {
  what: string;
  /** `undefined` when the configured secret does not give such a signature. */
  spoil: (correct: SignedDelivery) => SignedDelivery | undefined;
}

export const refusedSignatures: readonly RefusedSignature[] = [
  ...badSignatures('delivery'),
  ...wrongSecrets.map(({ what, spoil }) => ({ what: `a delivery ${what}`, spoil })),
];

/** Posts a message that must be refused, or returns the one that another check has posted. */
export async function postRefused(
  kit: CheckKit,
  { what, spoil }: RefusedSignature,
): Promise<PostedMessage | undefined> {
  // The checks of signatures post it under the same name.
  await once(kit.session, `own-ai-chat ${what}`, async () => {
    const delivery = spoil(signedMessages.sign(kit));
    return delivery && signedMessages.post(kit, delivery, { label: what, fresh: true, toBeRefused: true });
  });
  return postedIn(kit).get(what);
}

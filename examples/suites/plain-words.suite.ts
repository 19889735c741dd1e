/**
 * Two rules of a company about its chat, in addition to those of the interface. Run it with:
 * npx svc-conform check --suites 'suites/*.suite.ts'
 */
import { check, describe, expect, jsonOf, requirement } from 'svc-conform/suite';

const namesNoPrice = requirement({
  id: 'own-ai-chat/acme-names-no-price',
  section: 'Acme assistant handbook, prices',
  level: 'must',
  statement: 'The assistant names no price: a colleague does.',
  remediation:
    'Instruct the model in its prompt to hand over when a customer asks for a price, or take amounts out of its answers.',
});

const answersBriefly = requirement({
  id: 'own-ai-chat/acme-answers-briefly',
  section: 'Acme assistant handbook, style',
  level: 'should',
  statement: 'An answer has at most 600 characters, so that it can be read on a watch.',
  remediation: 'Ask the model for three sentences at most.',
});

describe.concurrent('acme', () => {
  for (const question of ['How much is a consultation?', 'Is 40 euros enough for it?']) {
    check(namesNoPrice, `"${question}" brings no amount of money`, async ({ chat, sample, notExercised }) => {
      const event = sample.messageReceived();
      event.data.message.text = question;
      const answer = await chat.deliver(chat.open(event), { label: question });
      expect(answer).toBeAccepted();
      const { text } = jsonOf(answer) ?? {};
      if (typeof text !== 'string') return notExercised('The answer had no text.');
      // The answer may quote the customer.
      expect(text.replaceAll(question, '')).not.toMatch(/\d\s*(?:€|euros?\b)/i);
    });
  }

  check(answersBriefly, 'a plain question is answered briefly', async ({ chat, sample, notExercised }) => {
    const answer = await chat.deliver(chat.open(sample.messageReceived()), { label: 'a plain question' });
    expect(answer).toBeAccepted();
    const { text } = jsonOf(answer) ?? {};
    if (typeof text !== 'string') return notExercised('The answer had no text.');
    expect(text.length).toBeLessThanOrEqual(600);
  });
});

import { expect, it } from 'vitest';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import { targetNames } from '../../run/config/target-names.ts';
import { configOf } from '../harness/settings-for-tests.ts';

it('the target of a phone has the secret of the chat only if both are equal', () => {
  const config = configOf({ chat: 'http://a.example/chat', phone: 'ws://a.example/voice' });
  const phoneOf = (one: typeof config) => targetNames(one, ['own-ai-phone'], configRedactor(one))['own-ai-phone'];
  const { url = '', timeoutSeconds = 2 } = config.phone ?? {};
  expect(phoneOf(config)).toEqual({ url, sharesSecret: true });
  expect(phoneOf({ ...config, phone: { url, timeoutSeconds, secret: 'whsec_of-another-assistant' } })).toEqual({ url });
  expect(phoneOf(configOf({ phone: url }))).toEqual({ url });
});

// Run it with `node --test`. Each test runs the client against Pact's mock server; what the client needs of API v1 is
// then in pacts/shop-api-v1.json, and `svc-conform pact compare pacts/shop-api-v1.json` holds it to the interface.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pact from '@pact-foundation/pact';
import { addInteraction, apiProvider, exampleApiKey } from 'svc-conform/pact';
import { ShopClient } from './shop-client.mjs';

const contract = new pact.PactV4({ consumer: 'shop', provider: apiProvider, logLevel: 'error' });
const contactId = 4711;
const message = { contactId, text: 'Your order 77 is ready.' };

describe('the shop', () => {
  it('keeps the id of a new customer', async () => {
    const customer = { phone: '+4930901820', firstName: 'Erika', lastName: 'Mustermann' };
    await addInteraction(contract, 'upsert-contact/created', { body: customer, answer: { id: contactId } }).executeTest(
      async ({ url }) => {
        assert.equal(await new ShopClient(url, exampleApiKey).rememberCustomer(customer), contactId);
      },
    );
  });

  it('notifies a customer that an order is ready', async () => {
    // Only what the client reads is in the contract: whatever else the answer has may change.
    await addInteraction(contract, 'send-message/queued-by-contact', {
      body: message,
      idempotencyKey: 'order-77-ready',
      reads: ['messageId', 'waitingForReply'],
      answer: { messageId: 90018, waitingForReply: true },
    }).executeTest(async ({ url }) => {
      const notice = await new ShopClient(url, exampleApiKey).orderIsReady(contactId, 77);
      assert.deepEqual(notice, { messageId: 90018, waits: true });
    });
  });

  it('calls a customer who cannot be written to', async () => {
    await addInteraction(contract, 'send-message/not-deliverable', {
      body: message,
      idempotencyKey: 'order-77-ready',
    }).executeTest(async ({ url }) => {
      assert.deepEqual(await new ShopClient(url, exampleApiKey).orderIsReady(contactId, 77), { toBeCalled: true });
    });
  });
});

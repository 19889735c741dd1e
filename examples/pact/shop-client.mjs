/** A shop's own client of API v1: it knows the customers by the ids that the service gives them. */
export class ShopClient {
  #baseUrl;
  #apiKey;

  constructor(baseUrl, apiKey) {
    this.#baseUrl = baseUrl;
    this.#apiKey = apiKey;
  }

  /** Adds a customer to the service. Returns the id of the contact, to be kept next to the customer's number. */
  async rememberCustomer({ phone, firstName, lastName }) {
    const { id } = await this.#post('/v1/contacts', { phone, firstName, lastName });
    return id;
  }

  /** Notifies a customer once that an order is ready, even if it is called several times. */
  async orderIsReady(contactId, order) {
    const message = { contactId, text: `Your order ${order} is ready.` };
    try {
      const { messageId, waitingForReply } = await this.#post('/v1/messages', message, `order-${order}-ready`);
      return { messageId, waits: waitingForReply };
    } catch (error) {
      // The customer was not notified and has to be called.
      if (error.code === 'not_deliverable') return { toBeCalled: true };
      throw error;
    }
  }

  async #post(path, body, idempotencyKey) {
    const response = await fetch(this.#baseUrl + path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Api-Key': this.#apiKey,
        ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    throw Object.assign(new Error(`${path}: ${response.status} ${answer.title}`), { code: answer.title });
  }
}

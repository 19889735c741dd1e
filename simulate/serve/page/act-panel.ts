import { html, type Markup } from '../../../reports/write/html/markup.ts';
import type { Step, StepName } from '../../../service/step.ts';

const channels = ['whatsapp', 'webchat', 'telegram', 'chat', 'sms', 'rcs', 'email'];

/** A button for a step of the chosen customer. */
function customerButton(label: string, name: StepName): Markup {
  return html`<button type="button" data-step="${name}" data-who>${label}</button> `;
}

function timeButton(label: string, body: Extract<Step, { name: 'time-passes' }>['body']): Markup {
  return html`<button type="button" data-step="time-passes" data-body="${JSON.stringify(body)}">${label}</button> `;
}

function address(name: string, label: string): Markup {
  return html`<label for="connect-${name}">${label}</label>
    <input id="connect-${name}" name="${name}" type="url" autocomplete="off" spellcheck="false" />`;
}

/** The actions of customers, of the team and of time. `steps`: every step that the control API plays. */
export function actPanel(steps: readonly { name: StepName; does: string }[]): Markup {
  return html`<section class="acts" id="acts" aria-labelledby="acts-title">
    <h2 id="acts-title">Act</h2>
    <label for="customer">Customer</label>
    <select id="customer" data-list="customers"></select>
    <p class="status" id="status" role="status"></p>
    <form data-form="customer-writes" data-who>
      <label for="text">The customer writes</label>
      <textarea id="text" name="text" rows="2" required data-clear></textarea>
      <label for="channel">Channel</label>
      <select id="channel" name="channel">
        ${channels.map((channel) => html`<option>${channel}</option> `)}
      </select>
      <button type="submit">Write</button> ${customerButton('Tap the button', 'customer-taps')}
    </form>
    <form data-form="customer-calls" data-who>
      <label for="say">The customer calls and says, a sentence on each line</label>
      <textarea id="say" name="say" rows="2" data-as="lines"></textarea>
      <button type="submit">Call</button>
    </form>
    <form data-form="team-replies" data-who>
      <label for="reply">The team replies</label>
      <textarea id="reply" name="text" rows="2" required data-clear></textarea>
      <button type="submit">Reply</button> ${customerButton('Take over', 'team-takes-over')}
      ${customerButton('Hand back', 'hand-back')}
    </form>
    <form data-form="time-passes">
      <label for="hours">Hours pass</label>
      <input id="hours" name="hours" type="number" min="0" step="any" value="1" data-as="number" />
      <button type="submit">Move the clock</button> ${timeButton('5 minutes', { minutes: 5 })}
      ${timeButton('1 day', { days: 1 })}
    </form>
    <details>
      <summary>Events for the CRM</summary>
      <p>
        ${customerButton('Manual', 'manual')} ${customerButton('Form submitted', 'form-submitted')}
        ${customerButton('Conversation pauses', 'conversation-pauses')}
      </p>
    </details>
    <details>
      <summary>Connect an endpoint</summary>
      <form data-form="connect">
        ${address('chat', 'Chat')} ${address('phone', 'Phone (ws: or wss:)')} ${address('crmWebhook', 'CRM webhook')}
        ${address('apiWebhooks', 'Appointment webhooks')}
        <button type="submit">Connect</button>
      </form>
    </details>
    <details>
      <summary>Any step</summary>
      <form>
        <label for="any-step">Step</label>
        <select id="any-step" name="step">
          ${steps.map(({ name, does }) => html`<option data-does="${does}">${name}</option> `)}
        </select>
        <p class="quiet" id="any-step-does"></p>
        <label for="any-body">Fields as JSON</label>
        <textarea id="any-body" class="code" name="body" rows="3" spellcheck="false">{}</textarea>
        <button type="submit">Play</button>
      </form>
    </details>
  </section>`;
}

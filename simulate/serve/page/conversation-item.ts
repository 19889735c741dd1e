import { html, type Markup } from '../../../reports/write/html/markup.ts';
import { counted } from '../../../reports/text/wording.ts';
import { timestamp } from '../../../service/clock.ts';
import { fullName } from '../../../service/full-name.ts';
import type { ServiceInbox } from '../../../service/service-inbox.ts';
import type { Step } from '../../../service/step.ts';
import { withoutSecrets } from '../../../service/without-secrets.ts';
import type { ContactRecord, ProjectRecord, TurnRecord } from '../../../service/workspace.ts';

/** Turns of a conversation that are shown; the API has all of them. */
const shownTurns = 40;

const speakers: Readonly<Record<TurnRecord['role'], string>> = {
  customer: 'Customer',
  agent: 'Your AI',
  team: 'Team',
  system: 'Service',
};

/** A button that plays a step at the control API. */
export function stepButton(label: string, { name, body }: Step): Markup {
  return html`<button type="button" data-step="${name}" data-body="${JSON.stringify(body)}">${label}</button> `;
}

/** Name and number of a contact. */
export function labelContact(contact: ContactRecord): string {
  const { phone, email, id } = contact;
  const name = fullName(contact);
  const address = phone ?? email ?? `contact ${id}`;
  return name === undefined ? address : `${name}, ${address}`;
}

/** One conversation: its state, what was said in chats and calls, and the actions of the team. */
export function conversationItem({ conversations, workspace }: ServiceInbox, project: ProjectRecord): Markup {
  const { id: projectId, channel, turns, agentId } = project;
  const { state } = conversations.autoReply(project);
  const { contact, notes, waiting, shown } = withoutSecrets(workspace, {
    contact: conversations.contactOf(project),
    notes: project.notes,
    waiting: project.waiting,
    shown: turns.slice(-shownTurns),
  });
  const earlier = turns.length - shown.length;
  return html`<li class="card">
    <h3>${labelContact(contact)}</h3>
    <p class="quiet">
      conversation ${projectId}, ${channel}, auto-reply
      ${state}${agentId === null && ", answered by the service's own AI"}
    </p>
    ${earlier > 0 && html`<p class="quiet">${counted(earlier, 'earlier message')}</p>`}
    <ol class="turns">
      ${shown.map(turnItem)}
    </ol>
    ${turns.length === 0 && html`<p class="quiet">Nothing was said yet.</p>`}
    ${waiting.map(({ text }) => html`<p class="quiet">Waits until the customer writes or taps the button: ${text}</p>`)}
    ${notes.map(({ text }) => html`<p class="note">Note for the team: ${text}</p>`)}
    <p class="steps">
      ${waiting.length > 0 && stepButton('Customer taps', { name: 'customer-taps', body: { projectId } })}
      ${
        state === 'on'
          ? [
              stepButton('Team takes over', { name: 'team-takes-over', body: { projectId } }),
              stepButton('Mute', { name: 'team-mutes', body: { projectId } }),
              stepButton('Switch off', { name: 'team-switches-off', body: { projectId } }),
            ]
          : stepButton('Hand back to the AI', { name: 'hand-back', body: { projectId } })
      }
    </p>
  </li>`;
}

function turnItem({ role, text, at }: TurnRecord): Markup {
  return html`<li class="turn ${role}">
    <span class="quiet">${speakers[role]} <time>${timestamp(at).slice(11)}</time></span>
    <span class="said">${text}</span>
  </li> `;
}

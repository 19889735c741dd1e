import { Session } from '../../harness/checks/session.ts';
import type { ContactData, ProjectData } from '../../specs/generated/types.ts';
import { rawServer, answerText } from './raw-server.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

/** An endpoint, by default one that accepts everything, and a session that sends to it. */
export async function openWorld(
  answer: Parameters<typeof rawServer>[0] = (socket) => socket.write(answerText('204 No Content')),
) {
  const endpoint = await rawServer(answer);
  const { origin } = endpoint;
  const session = await Session.open(settingsOf(configOf({ crm: origin, hooks: origin, chat: origin })));
  const { baseUrl, inbox } = session.inbox.service;
  const [apiKey = ''] = inbox.workspace.keys.keys();
  const api = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${baseUrl}/v1${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    session,
    endpoint,
    api,
    /** The current data of the service for the objects of an event. */
    contactData: (id: number): ContactData => inbox.contacts.contactData(inbox.contacts.get(id)),
    projectData: (id: number): ProjectData => inbox.conversations.projectData(inbox.conversations.get(id)),
    appointment: (id: number) => inbox.appointments.wire(inbox.appointments.get(id)),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

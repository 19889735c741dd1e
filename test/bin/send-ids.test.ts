import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../harness/wire/free-port.ts';
import { appointmentEventTypes } from '../../specs/appointment-event-types.ts';
import { recordingServer } from '../server-fixture.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';

const env = { TOKEN: 'token-of-the-send-tests', SECRET: 'whsec_of-the-send-tests', KEY: 'svc_sk_of-the-send-tests' };

/** Untyped JSON: each test knows its shape. */
type Json = ReturnType<typeof JSON.parse>;

/** Answers of API v1 about the ids of an event, requested before the event is answered. */
interface Known {
  event: Json;
  me: Json;
  agent?: Json;
  /** Of a note to the project. */
  project?: Json;
  /** Of a note to the contact. */
  contact?: Json;
  /** Of a change of the appointment. */
  appointment?: Json;
  messages?: Json;
}

/** Sends an event to an endpoint that looks up every id of the event in API v1. */
async function sendAndLookUp(what: string, sets: readonly string[]): Promise<Known> {
  await using directory = await temporaryDirectory();
  const port = await freePort();
  const api = async (method: string, path: string, body?: object): Promise<Json> => {
    const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: { 'x-api-key': env.KEY, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return await response.json();
  };
  const known: Known[] = [];
  await using endpoint = await recordingServer(async ({ body }, response) => {
    const event = JSON.parse(body);
    const { agentId, data, contactData, projectData, appointmentData } = event;
    const projectId = data?.projectId ?? projectData?.svcProjectId;
    const contactId = data?.contactId ?? data?.contact?.id ?? contactData?.svcContactId;
    const appointment = appointmentData ?? (data?.start === undefined ? undefined : data);
    if (known.length === 0) {
      known.push({
        event,
        me: await api('GET', '/me'),
        ...(agentId !== undefined && { agent: await api('GET', `/agents/${agentId}`) }),
        ...(projectId !== undefined && {
          project: await api('POST', '/notes', { projectId, text: 'T' }),
          messages: await api('GET', `/projects/${projectId}/messages`),
        }),
        ...(contactId !== undefined && { contact: await api('POST', '/notes', { contactId, text: 'T' }) }),
        // Nothing changes, so the appointment is returned unchanged.
        ...(appointment && {
          appointment: await api('PATCH', `/appointments/${appointment.id}`, { start: `${appointment.start}Z` }),
        }),
      });
    }
    response.writeHead(204).end();
  });
  const url = `http://${endpoint.host}/`;
  const config = {
    crmWebhook: { url, token: 'env:TOKEN' },
    apiWebhooks: { url, secret: 'env:SECRET' },
    chat: { url, secret: 'env:SECRET' },
    service: { host: '127.0.0.1', port, apiKey: 'env:KEY' },
  };
  await writeFile(directory.at('config.json'), JSON.stringify(config));
  const flags = sets.flatMap((set) => ['--set-json', set]);
  const args = ['send', what, '--config', 'config.json', '--wait', '0', ...flags];
  const { code, stderr } = await runCommand(args, { cwd: directory.path, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [first] = known;
  if (!first) throw new Error('no event arrived');
  return first;
}

function expectKnown({ event, me, agent, project, contact, appointment, messages }: Known): void {
  const { workspaceId, agentId, data, contactData, projectData, appointmentData } = event;
  if (workspaceId !== undefined) expect(me).toMatchObject({ workspaceId });
  if (agentId !== undefined) expect(agent).toMatchObject({ agentId, skills: data?.skills ?? [] });
  const projectId = data?.projectId ?? projectData?.svcProjectId;
  const contactId = data?.contactId ?? data?.contact?.id ?? contactData?.svcContactId;
  if (projectId !== undefined) expect(project).toMatchObject({ projectId, contactId });
  if (contactId !== undefined) expect(contact).toMatchObject({ contactId });
  if (appointment) expect(appointment).toEqual(appointmentData ?? data);
  if (appointmentData) expect(appointmentData).toMatchObject({ contactId, projectId });
  if (data?.message) expect(messages).toContainEqual(expect.objectContaining({ text: data.message.text }));
}

const ids = { workspaceId: 7001, agentId: 7002, projectId: 7003, contactId: 7004, appointmentId: 7005 };
const ofAgent = [`workspaceId=${ids.workspaceId}`, `agentId=${ids.agentId}`];
const ofData = [`data.projectId=${ids.projectId}`, `data.contactId=${ids.contactId}`, `data.id=${ids.appointmentId}`];
const ofCrm = [`contactData.svcContactId=${ids.contactId}`, `projectData.svcProjectId=${ids.projectId}`];
const ofAppointment = [
  `appointmentData.id=${ids.appointmentId}`,
  `appointmentData.projectId=${ids.projectId}`,
  `appointmentData.contactId=${ids.contactId}`,
  'appointmentData.title="Fitting"',
];

describe('every id of an event that send sends', () => {
  it.each(['message.received', 'ping', ...appointmentEventTypes, 'IncomingCallLookup', 'AppointmentCancelled'])(
    'is known at API v1, with the same data: %s',
    async (what) => {
      expectKnown(await sendAndLookUp(what, []));
    },
  );

  it.each([
    ['message.received', [...ofAgent, `data.projectId=${ids.projectId}`, `data.contact.id=${ids.contactId}`]],
    ['ping', ofAgent],
    ['appointment.rescheduled', [`workspaceId=${ids.workspaceId}`, ...ofData, 'data.title="Fitting"']],
    ['FinishedCall', ofCrm],
    ['AppointmentConfirmed', [...ofCrm, ...ofAppointment]],
  ])('is known, too, if the user has set it: %s', async (what, sets) => {
    const known = await sendAndLookUp(what, sets);
    const sent = JSON.stringify(known.event);
    for (const set of sets) expect(sent).toContain(set.slice(set.indexOf('=') + 1));
    expectKnown(known);
  });
});

import type { ApiClient } from './api-client.ts';
import { ApiError } from './api-client.ts';
import { asInteger, asText, cut } from './json.ts';
import type { JsonObject } from './json.ts';

const TITLE_UNITS = 100;

/**
 * Tells the team in a note that our calendar knows of a cancelled appointment. The delivery's id is the
 * Idempotency-Key: the note belongs to this delivery, however often it is sent. Interface: API v1, POST /v1/notes.
 *
 * @throws ApiError
 */
export async function noteCancellation(api: ApiClient, appointment: JsonObject, delivery: string): Promise<void> {
  const projectId = asInteger(appointment['projectId']);
  if (projectId === undefined) throw new ApiError('refused', 'the appointment has no project');
  const title = cut(asText(appointment['title']) ?? 'Appointment', TITLE_UNITS);
  await api.send({
    method: 'POST',
    path: '/v1/notes',
    body: { projectId, title: 'Calendar', text: `“${title}” is cancelled in our calendar too.` },
    repeat: { idempotencyKey: delivery },
  });
}

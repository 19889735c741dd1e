import { setUp, type Seams } from './endpoint.ts';
import type { HookEvent } from './hooks.ts';
import { send } from './outgoing.ts';

/** Writes notes about appointments through API v1, whose address it takes from CRM events; `undefined`: no note. */
export function notingAppointments(textOf: (event: HookEvent) => string | undefined): Seams {
  let origin: string | undefined;
  return {
    crm: {
      effect: (_, __, { callbackUrl }) => {
        origin = new URL(callbackUrl).origin;
      },
    },
    hooks: {
      effect: async (_, event) => {
        const { projectId } = event.data;
        const text = textOf(event);
        if (text === undefined || origin === undefined || !Number.isSafeInteger(projectId)) return;
        await send({
          url: `${origin}/v1/notes`,
          method: 'POST',
          headers: { 'X-Api-Key': setUp.apiKey, 'Content-Type': 'application/json' },
          body: JSON.stringify({ projectId, text }),
        });
      },
    },
  };
}

import type { Failing, ProbeOutcome, Probe } from '../../diagnosis/outcome.ts';
import { diagnoseCall } from '../../diagnosis/phone/diagnose-call.ts';
import { diagnoseDialogue } from '../../diagnosis/phone/diagnose-dialogue.ts';
import { setUp, startEndpoint, type Seams } from '../proving/endpoint.ts';
import { diagnoseEndpoint, type Diagnosed } from './faulty-endpoint.ts';

/** Seconds; the least that can be set, so that what is late is so soon. */
const timeoutSeconds = 2;

/** Both probes of the phone one after the other, as a diagnosis asks them: the second only when the first lets it. */
const both: Probe = async (connection, failing) => {
  const call = await diagnoseCall(connection, failing);
  if (call.found || call.suspects.length > 0 || call.ends) return call;
  const dialogue = await diagnoseDialogue(connection, failing);
  return {
    ...dialogue,
    passed: [...call.passed, ...dialogue.passed],
    seen: [...call.seen, ...dialogue.seen],
  } satisfies ProbeOutcome;
};

/** Diagnoses an own AI on the phone that runs for this alone. */
export async function diagnosePhone(
  name: string,
  build: () => Seams,
  {
    failing,
    stimuli = setUp.stimuli,
    probe = both,
  }: { failing?: Failing | undefined; probe?: Probe; stimuli?: Partial<typeof setUp.stimuli> } = {},
): Promise<Diagnosed> {
  return await diagnoseEndpoint(probe, {
    what: name,
    surface: 'own-ai-phone',
    cause: undefined,
    ...(failing && { failing }),
    start: async () => {
      const running = await startEndpoint(build());
      return {
        config: {
          phone: { url: running.voice, secret: setUp.agentSecret, timeoutSeconds },
          skills: setUp.skills,
          stimuli,
          service: { host: '127.0.0.1', port: 0, apiKey: setUp.apiKey },
        },
        [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
      };
    },
  });
}

import type { Failing, ProbeOutcome, Probe } from '../../diagnosis/outcome.ts';
import { diagnoseCall } from '../../diagnosis/phone/diagnose-call.ts';
import { diagnoseDialogue } from '../../diagnosis/phone/diagnose-dialogue.ts';
import { setUp, startEndpoint, type Seams } from '../proving/endpoint.ts';
import { diagnoseEndpoint, type Diagnosed } from './faulty-endpoint.ts';

/** Seconds: the minimum, so that late answers are late soon. */
const timeoutSeconds = 2;

/** Runs both probes of the phone as a diagnosis does: the second only if the first does not end the diagnosis. */
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

/** Starts an own AI on the phone and diagnoses it. */
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

import { interactionVerdicts, type InteractionVerdict } from '../../contracts/contract-finding.ts';
import { answers } from './expectations/answers.ts';
import { errors } from './expectations/errors.ts';
import { missingStates } from './expectations/missing-states.ts';
import { requests } from './expectations/requests.ts';
import { states } from './expectations/states.ts';
import type { JudgedExpectation } from './judged-expectation.ts';

/** Expectations of a consumer of API v1, by their required verdict. */
export const expectations = Object.fromEntries(
  interactionVerdicts.map((verdict) => [
    verdict,
    [requests, answers, errors, states, missingStates].flatMap((subject) => subject[verdict] ?? []),
  ]),
) as unknown as Readonly<Record<InteractionVerdict, readonly JudgedExpectation[]>>;

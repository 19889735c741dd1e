import { HarnessFault } from '../harness/checks/faults.ts';
import type { WireExchange } from '../harness/wire/observation.ts';
import { describeExchange } from './matchers/describe-answer.ts';

/** The fault for an exchange whose content is unknown, so that no verdict may rest on it. */
export function notReadFault(why: string, exchange: WireExchange, others = 0): HarnessFault {
  const more = others === 0 ? '' : `, and ${others} more like it`;
  return new HarnessFault('not-read:body', { received: why, exchange: describeExchange(exchange), more });
}

import type { ApiExchange } from '../../harness/client/api-exchange.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { apiClient } from '../../specs/requirements/api-client.ts';
import type { Judgement } from '../judgement.ts';
import type { ClientRequest, ReadTraffic } from './traffic.ts';

/** One request to which a rule applies: passed, a finding, or unknown. */
export interface JudgedRequest {
  exchange: ApiExchange;
  finding?: Finding;
  /** Reason why it is unknown whether the rule is met, one sentence. */
  open?: string;
  /** The earlier request that shows why. */
  beside?: ApiExchange;
}

/** One rule about what a client sends. */
export interface ClientRule {
  requirement: keyof typeof apiClient;
  /** Reads as the required behaviour. */
  title: string;
  /** The missing traffic, if the rule was not exercised. */
  needs: string;
  /** Requests to which the rule applies; none for those that give nothing to judge. */
  judge: (traffic: ReadTraffic) => JudgedRequest[];
}

/** A rule that judges one request at a time. */
export function each(judge: (request: ClientRequest, traffic: ReadTraffic) => Judgement): ClientRule['judge'] {
  return (traffic) =>
    traffic.requests.flatMap((request) => {
      const judgement = judge(request, traffic);
      if (judgement === 'nothing') return [];
      return [{ exchange: request.exchange, ...(judgement === true ? {} : { finding: judgement }) }];
    });
}

import type { Acceptance } from '../checks/acceptance.ts';
import type { IdGenerator } from '../checks/id-generator.ts';
import type { Samples } from '../checks/samples.ts';
import type { RunSettings } from '../config/settings.ts';
import type { DeliverOptions } from './deliveries.ts';
import type { Inbox } from './inbox.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { Observation, WireRequest } from './observation.ts';

/** The context in which a driver sends its traffic. */
export interface DriverContext {
  readonly settings: RunSettings;
  readonly inbox: Inbox;
  readonly ids: IdGenerator;
  readonly answers: KeptAnswers;
  readonly sample: Samples;
  readonly acceptance: Acceptance;
  /** Whether events of this type were sent to this address and never answered. */
  isUnanswered(url: string, type: string): boolean;
  /** Sends one request and adds the exchange to the record of the running check. */
  send(makeRequest: () => WireRequest, options: DeliverOptions): Promise<Observation>;
}

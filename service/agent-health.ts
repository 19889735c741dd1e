import type { AgentRecord } from './workspace.ts';

/** Records that the assistant answered properly, in chat or on the phone. `now` in Unix milliseconds. */
export function recordSuccess(agent: AgentRecord, now: number): void {
  agent.lastSuccessAt = now;
  agent.consecutiveFailures = 0;
}

/** Records that the assistant failed. `error` describes how and contains no secret; `now` in Unix milliseconds. */
export function recordFailure(agent: AgentRecord, now: number, error: string): void {
  agent.lastFailureAt = now;
  agent.lastError = error;
  agent.consecutiveFailures++;
}

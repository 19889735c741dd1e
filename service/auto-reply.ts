import { limits } from '../specs/limits.ts';
import type { AutoReply } from '../specs/generated/types.ts';
import { timestamp } from './clock.ts';
import type { AutoReplyRecord } from './workspace.ts';

/** Events that change auto-reply (interface: Auto-reply of a conversation). */
export type AutoReplyTrigger =
  'team-replied' | 'taken-over' | 'switched-off' | 'handed-over' | 'muted' | 'pause-over' | 'handed-back';

type AutoReplyState = AutoReplyRecord['state'];

/**
 * The table of the interface, and the cases it does not mention (assumption auto-reply-beyond-the-table): during a
 * pause a person ends it as when it is on, and muting again sets a new end; muting does not apply to a conversation
 * that is off, since the end of the pause would hand it back to the AI without a request.
 */
const table = {
  on: {
    'team-replied': 'off',
    'taken-over': 'off',
    'switched-off': 'off',
    'handed-over': 'off',
    muted: 'paused',
    'pause-over': 'on',
    'handed-back': 'on',
  },
  paused: {
    'team-replied': 'off',
    'taken-over': 'off',
    'switched-off': 'off',
    'handed-over': 'paused',
    muted: 'paused',
    'pause-over': 'on',
    'handed-back': 'on',
  },
  off: {
    'team-replied': 'off',
    'taken-over': 'off',
    'switched-off': 'off',
    'handed-over': 'off',
    muted: 'off',
    'pause-over': 'off',
    'handed-back': 'on',
  },
} as const satisfies Record<AutoReplyState, Record<AutoReplyTrigger, AutoReplyState>>;

/** Label of each trigger in the live log. */
export const triggerLabels = {
  'team-replied': 'the team replied',
  'taken-over': 'the team took the conversation over',
  'switched-off': 'the team switched auto-reply off',
  'handed-over': 'the conversation was handed over',
  muted: 'the team muted the conversation',
  'pause-over': 'the pause is over',
  'handed-back': 'the conversation was handed back',
} as const satisfies Record<AutoReplyTrigger, string>;

/** The state that follows a trigger; the same object when nothing changes. `now` in Unix milliseconds. */
export function nextAutoReply(
  from: AutoReplyRecord,
  trigger: AutoReplyTrigger,
  { now, minutes = limits.autoReplyPauseMinutes }: { now: number; minutes?: number },
): AutoReplyRecord {
  const state: AutoReplyState = table[from.state][trigger];
  // Whole seconds, so that pausedUntil is the exact time at which auto-reply is on again.
  if (trigger === 'muted' && state === 'paused') {
    return { state, pausedUntil: Math.ceil((now + minutes * 60_000) / 1000) * 1000 };
  }
  return state === from.state || state === 'paused' ? from : { state };
}

/** Auto-reply as events and responses carry it. */
export function wireAutoReply(record: AutoReplyRecord): AutoReply {
  return record.state === 'paused' ? { state: 'paused', pausedUntil: timestamp(record.pausedUntil) } : record;
}

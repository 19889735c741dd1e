import { HarnessFault } from '../harness/checks/faults.ts';
import type { RunEvent } from '../specs/generated/types.ts';
import type { RunStep } from './run-step.ts';
import { surfaceOf } from '../specs/surfaces.ts';

/** An event without its timestamp. */
type Untimed<Event extends RunEvent> = Event extends RunEvent ? Omit<Event, 'at'> : never;

/**
 * The public event of a step, as run-event.schema.json describes it; `undefined` for a step that has none.
 *
 * @param now the clock of `at`
 */
export function runEventOf(step: RunStep, now: () => Date): RunEvent | undefined {
  const untimed = untimedOf(step);
  if (!untimed) return undefined;
  const { event, ...rest } = untimed;
  return { event, at: now().toISOString(), ...rest } as RunEvent;
}

function untimedOf(step: RunStep): Untimed<RunEvent> | undefined {
  switch (step.step) {
    case 'run-started': {
      const { harness, protocol, seed, surfaces, target, selection, checks } = step;
      return {
        event: 'run-started',
        schemaVersion: 2,
        harness,
        protocol,
        seed,
        surfaces,
        target,
        ...(selection && { selection }),
        ...(checks !== undefined && { checks }),
      };
    }
    case 'note':
    case 'waiting':
      return { event: 'note', text: step.text };
    case 'check-finished': {
      const { id, requirement, title, level, verdict, durationMs, message, code } = step.check;
      return {
        event: 'check-finished',
        check: id,
        requirement,
        surface: surfaceOf(requirement),
        title,
        level,
        verdict,
        durationMs,
        ...(message !== undefined && { message }),
        ...(code !== undefined && { code }),
      };
    }
    case 'check-repeated': {
      const { id, verdict, message } = step.check;
      const { failed, of } = step.repeats;
      return { event: 'check-repeated', check: id, verdict, failed, of, ...(message !== undefined && { message }) };
    }
    case 'cause-found':
      return { event: 'cause-found', check: step.check, cause: step.cause };
    case 'check-started':
    case 'checks-executed':
      return undefined;
    case 'run-finished': {
      const { verdict, summary, gate, durationMs } = step.report;
      const { exitCode, file } = step;
      return {
        event: 'run-finished',
        verdict,
        summary,
        ...(gate && { gate }),
        durationMs,
        exitCode,
        ...(file !== undefined && { report: file }),
      };
    }
    case 'run-stopped': {
      const { reason } = step;
      const text = typeof reason === 'string' ? reason : reason.message;
      const code = reason instanceof HarnessFault ? reason.code : undefined;
      return { event: 'run-stopped', reason: text, ...(code !== undefined && { code }) };
    }
  }
}

import { nextAutoReply, triggerLabels, wireAutoReply, type AutoReplyTrigger } from './auto-reply.ts';
import type { Scheduled } from './clock.ts';
import type { InboxCore } from './inbox-core.ts';
import type { AutoReplyRecord, ProjectRecord } from './workspace.ts';

/** Auto-reply of every conversation of one inbox, on the service's clock (interface: Auto-reply of a conversation). */
export class AutoReplies {
  readonly #inbox: InboxCore;
  readonly #pauseEnds = new WeakMap<ProjectRecord, Scheduled>();

  constructor(inbox: InboxCore) {
    this.#inbox = inbox;
  }

  /** What holds now. */
  of(project: ProjectRecord): AutoReplyRecord {
    const { autoReply } = project;
    // What falls due in this very moment may not have been run yet.
    if (autoReply.state === 'paused' && this.#inbox.clock.now() >= autoReply.pausedUntil) this.#endPause(project);
    return project.autoReply;
  }

  /** Something happened that may change it. `minutes`: of a pause. */
  follow(project: ProjectRecord, trigger: AutoReplyTrigger, minutes?: number): void {
    const now = this.#inbox.clock.now();
    const before = this.of(project);
    const next = nextAutoReply(before, trigger, { now, ...(minutes !== undefined && { minutes }) });
    if (next !== before) this.set(project, next, triggerLabels[trigger]);
  }

  /** Sets it, whatever it was. */
  set(project: ProjectRecord, next: AutoReplyRecord, why: string): void {
    const before = project.autoReply;
    project.autoReply = next;
    if (before.state === 'on') project.teamWasNotified = false;
    if (next.state === 'on') project.forwarded = false;
    this.awaitEndOfPause(project);
    if (before.state === next.state && next.state !== 'paused') return;
    this.#inbox.log('auto-reply', `${next.state}: ${why}`, { ...wireAutoReply(next), why }, project);
  }

  /** Sees to it that a pause ends in time. */
  awaitEndOfPause(project: ProjectRecord): void {
    this.#pauseEnds.get(project)?.cancel();
    const { autoReply } = project;
    if (autoReply.state !== 'paused') return;
    this.#pauseEnds.set(
      project,
      this.#inbox.clock.schedule(autoReply.pausedUntil, () => this.#endPause(project)),
    );
  }

  #endPause(project: ProjectRecord): void {
    if (project.autoReply.state === 'paused') this.set(project, { state: 'on' }, triggerLabels['pause-over']);
  }
}

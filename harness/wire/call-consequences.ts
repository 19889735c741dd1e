import { adoptCall } from '../../service/adopt-event.ts';
import { CallTranscript } from '../../service/call-transcript.ts';
import type { ServiceInbox } from '../../service/service-inbox.ts';
import { cutNote, type CallSkills } from '../../service/skills.ts';
import type { ProjectRecord } from '../../service/workspace.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { Skill } from '../../specs/generated/types.ts';
import { interpretFrame, type SkillRemarks } from './frame-meaning.ts';
import type { CallFrame } from './observation.ts';
import { skillResults, type RequestedSkillResult } from './skill-results.ts';

/**
 * The consequences of one call of a run in the conversation that it names, as at the service: what was said is its
 * transcript, skills run and count towards their limits, a handover takes effect (interface: Own-AI phone frames).
 */
export class CallConsequences {
  readonly #inbox: ServiceInbox;
  readonly #used: CallSkills = { forwards: 0 };
  readonly #transcript = new CallTranscript((text) => this.#addTurn('agent', text));
  #project: ProjectRecord | undefined;
  #offered: readonly Skill[] = [];
  /** Number of frames that have had their consequences. */
  #seen = 0;

  constructor(inbox: ServiceInbox) {
    this.#inbox = inbox;
  }

  /** Adds the conversation of a call. */
  readonly begin = (started: Record<string, unknown>): void => {
    this.#project = adoptCall(this.#inbox, started);
    this.#offered = Array.isArray(started['skills']) ? (started['skills'] as Skill[]) : [];
  };

  /** Runs requested skills. An invalid `session.started` names no conversation in which they could run. */
  readonly runSkills = (named: readonly (string | number)[], said: SkillRemarks): RequestedSkillResult[] =>
    this.#project
      ? this.#inbox.skills.run(this.#project, named, said, this.#used, this.#offered)
      : skillResults(named, this.#offered);

  /** Carries out the frames since the last time. */
  follow(frames: readonly CallFrame[]): void {
    for (; this.#seen < frames.length; this.#seen++) {
      const frame = frames[this.#seen];
      if (frame?.from === 'ai') this.#hear(frame);
      else if (frame && isJsonObject(frame.value) && frame.value['type'] === 'prompt') {
        this.#transcript.close();
        if (typeof frame.value['text'] === 'string') this.#addTurn('customer', frame.value['text']);
      }
    }
  }

  #hear(frame: CallFrame): void {
    const meaning = interpretFrame(frame);
    if (meaning.kind === 'speech') this.#transcript.add(meaning.text, meaning.last);
    if (meaning.kind !== 'action' || !this.#project) return;
    const { conversations } = this.#inbox;
    this.#transcript.close();
    this.#addTurn('agent', meaning.text);
    const note = cutNote(meaning.note);
    if (note !== '') conversations.notifyTeam(this.#project, note, 'note');
    if (meaning.action === 'handover') conversations.handOver(this.#project);
  }

  #addTurn(role: 'customer' | 'agent', text: string): void {
    if (this.#project) this.#inbox.conversations.addTurn(this.#project, role, text);
  }
}

import type { WebSocket } from 'ws';

import type { Think, Thought } from './assistant-rules.ts';
import type { Log } from './exchange.ts';
import { asObject, asText, parseObject } from './json.ts';
import type { JsonObject } from './json.ts';
import { chooseSkills, offeredSkills } from './offered-skills.ts';
import type { OfferedSkill } from './offered-skills.ts';
import { AFTER_OUR_FAILURE, afterFailedTakeover, afterRefusedSkill } from './phone-sentences.ts';
import { speak } from './voice.ts';

/** How long the service has for closing after session.ended, and then for answering our own closing. */
const HANG_UP_MS = 3_000;
/** What may wait for a caller's side that takes nothing. Answers are short, so more than this is nobody listening. */
const MAX_UNSENT_BYTES = 256 * 1024;
const SENTENCE_PIECE_EVERY_MS = 10;
/** Close codes (RFC 6455, section 7.4.1). */
const NORMAL = 1000;
const GOING_AWAY = 1001;

export interface PhoneCallOptions {
  think: Think;
  log: Log;
  hangUpMs?: number;
}

/** What is being answered right now. `signal` stops it. */
type Answering = (signal: AbortSignal) => Promise<void>;

/**
 * One call from its connection to its end. Everything known about a call is in here and nothing is shared, so no call
 * can hear another one. Interface: Own-AI phone frames.
 */
export class PhoneCall {
  readonly #socket: WebSocket;
  readonly #think: Think;
  readonly #log: Log;
  readonly #hangUpMs: number;
  #started = false;
  #over = false;
  #skills: OfferedSkill[] = [];
  /** Asked for, outcome not known yet. Never more than are offered. */
  readonly #asked = new Map<string, OfferedSkill>();
  #answering: AbortController | undefined;
  /** Waits until the caller has heard the answer that is running. */
  #sayNext: string | undefined;
  #hangUp: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, { think, log, hangUpMs = HANG_UP_MS }: PhoneCallOptions) {
    this.#socket = socket;
    this.#think = think;
    this.#log = log;
    this.#hangUpMs = hangUpMs;
    socket.on('message', (data) => this.#take(parseObject(data as Buffer)));
    socket.on('error', (error: NodeJS.ErrnoException) => log(`phone call broken off: ${error.code ?? error.name}`));
    // Comes after every ending, also after an error.
    socket.on('close', () => {
      this.#stopForGood();
      clearTimeout(this.#hangUp);
    });
  }

  /** Ends the call from our side. Without an action, the caller would be left wondering and the team looking for a fault. */
  leave(): void {
    if (this.#started && !this.#over) this.#handOver('The AI is being shut down.');
    this.#stopForGood();
    this.#close(GOING_AWAY);
  }

  /** For when nothing else helps. */
  cut(): void {
    this.#socket.terminate();
  }

  /** Frames, fields and values that we do not know are none of our business: a later revision may bring them. */
  #take(frame: JsonObject | undefined): void {
    if (frame === undefined || this.#over) return;
    switch (frame['type']) {
      case 'session.started':
        return this.#start(frame);
      case 'prompt':
        return this.#listen(frame['text']);
      case 'dtmf':
        // This assistant asks for no digits, so a key is no reason to say anything.
        return;
      case 'interrupt':
        return this.#answering?.abort();
      case 'skill.result':
        return this.#learn(frame);
      case 'session.ended':
        this.#stopForGood();
        // The service closes. If it does not, we do.
        this.#hangUp = setTimeout(() => this.#close(NORMAL), this.#hangUpMs);
    }
  }

  /** The service has greeted the caller already. Only somebody who is back from a failed takeover is spoken to. */
  #start(frame: JsonObject): void {
    this.#started = true;
    this.#skills = offeredSkills(frame['skills']);
    this.#asked.clear();
    if (frame['resumed'] !== 'handover_failed') return;
    const after = asObject(frame['resumedAfter']);
    const skill = this.#skills.find(({ key }) => key === after?.['key']);
    this.#answer(this.#sentence(afterFailedTakeover(skill, after?.['reason'])));
  }

  #listen(text: unknown): void {
    if (typeof text !== 'string') return;
    this.#answer(async (signal) => {
      const thought = await this.#think(text, this.#skills, signal);
      // Thinking takes time: by now the caller may have said something else.
      if (!signal.aborted) await this.#express(thought, signal);
    });
  }

  /** A skill that works is heard by itself. A refusal is told, or the caller would wait for somebody who never comes. */
  #learn(frame: JsonObject): void {
    const key = asText(frame['key']);
    const skill = key === undefined ? undefined : this.#asked.get(key);
    if (skill === undefined) return;
    this.#asked.delete(skill.key);
    if (frame['ok'] !== false) return;
    this.#sayNext = afterRefusedSkill(skill, frame['reason']);
    if (this.#answering === undefined) this.#goOn();
  }

  /** Starts an answer in place of the one that is running: of two voices at once, a caller understands neither. */
  #answer(answering: Answering): void {
    this.#answering?.abort();
    const running = new AbortController();
    this.#answering = running;
    void answering(running.signal)
      .catch((error: unknown) => {
        if (running.signal.aborted) return;
        this.#log(`answering a caller failed: ${error instanceof Error ? error.name : 'unknown'}`);
        this.#handOver('The AI could not answer.');
      })
      .finally(() => {
        if (this.#answering !== running) return;
        this.#answering = undefined;
        // After an interruption it is the caller's turn.
        if (!running.signal.aborted) this.#goOn();
      });
  }

  #goOn(): void {
    const text = this.#sayNext;
    this.#sayNext = undefined;
    if (text !== undefined) this.#answer(this.#sentence(text));
  }

  #sentence(text: string): Answering {
    return (signal) => this.#speak(text, SENTENCE_PIECE_EVERY_MS, signal);
  }

  /** Only speech is streamed. Words that belong to a deed go out with it, so that no interruption comes in between. */
  async #express({ answer, pieceEveryMs }: Thought, signal: AbortSignal): Promise<void> {
    const { text, action, note, executeSkills = [] } = answer;
    if (action !== 'none') return this.#send({ type: 'action', action, text, note });
    const skills = chooseSkills(executeSkills, this.#skills);
    if (skills.length === 0) return this.#speak(text, pieceEveryMs, signal);

    for (const skill of skills) this.#asked.set(skill.key, skill);
    // Before a forward, the service speaks the announcement, or a line of its own. So our words are the announcement
    // there. For an alert we say them ourselves, and it is not announced a second time.
    const forwards = skills.some(({ kind }) => kind === 'forward');
    if (!forwards) this.#send({ type: 'text', text, last: true });
    const keys = skills.map(({ key }) => key);
    this.#send({ type: 'skill', executeSkills: keys, note, announcement: forwards ? text : '' });
  }

  #speak(text: string, pieceEveryMs: number, signal: AbortSignal): Promise<void> {
    return speak({ text, pieceEveryMs, signal, say: (piece) => this.#send({ type: 'text', ...piece }) });
  }

  #handOver(note: string): void {
    this.#send({ type: 'action', action: 'handover', text: AFTER_OUR_FAILURE, note });
  }

  #send(frame: JsonObject): void {
    if (this.#over || this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES) return this.cut();
    this.#socket.send(JSON.stringify(frame));
  }

  #stopForGood(): void {
    this.#over = true;
    this.#sayNext = undefined;
    this.#answering?.abort();
  }

  #close(code: number): void {
    clearTimeout(this.#hangUp);
    this.#socket.close(code);
    this.#hangUp = setTimeout(() => this.cut(), this.#hangUpMs);
  }
}

import type { WebSocket } from 'ws';

import type { Think, Thought } from './assistant-rules.ts';
import type { Log } from './exchange.ts';
import { asObject, asText, parseObject } from './json.ts';
import type { JsonObject } from './json.ts';
import { chooseSkills, offeredSkills } from './offered-skills.ts';
import type { OfferedSkill } from './offered-skills.ts';
import { FAILURE_APOLOGY, afterFailedTakeover, afterRefusedSkill } from './phone-sentences.ts';
import { speak } from './voice.ts';

/** Time for the service to close after session.ended, and then to answer our own close. */
const HANG_UP_MS = 3_000;
/**
 * Maximum buffered data for a connection that reads nothing. Answers are short, so more than this means a dead caller.
 */
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

/** The current answer. `signal` stops it. */
type Answering = (signal: AbortSignal) => Promise<void>;

/**
 * One call from its connection to its end. All state of a call is in here and nothing is shared, so no call can affect
 * another one. Interface: Own-AI phone frames.
 */
export class PhoneCall {
  readonly #socket: WebSocket;
  readonly #think: Think;
  readonly #log: Log;
  readonly #hangUpMs: number;
  #started = false;
  #over = false;
  #skills: OfferedSkill[] = [];
  /** Requested skills without a result yet. Never more than are offered. */
  readonly #asked = new Map<string, OfferedSkill>();
  #answering: AbortController | undefined;
  /** Waits until the caller has heard the current answer. */
  #sayNext: string | undefined;
  #hangUp: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, { think, log, hangUpMs = HANG_UP_MS }: PhoneCallOptions) {
    this.#socket = socket;
    this.#think = think;
    this.#log = log;
    this.#hangUpMs = hangUpMs;
    socket.on('message', (data) => this.#take(parseObject(data as Buffer)));
    socket.on('error', (error: NodeJS.ErrnoException) => log(`phone call broken off: ${error.code ?? error.name}`));
    // Follows every ending, also an error.
    socket.on('close', () => {
      this.#stopForGood();
      clearTimeout(this.#hangUp);
    });
  }

  /** Ends the call from our side. An action informs caller and team; without one, both would suspect a fault. */
  leave(): void {
    if (this.#started && !this.#over) this.#handOver('The AI is being shut down.');
    this.#stopForGood();
    this.#close(GOING_AWAY);
  }

  /** Last resort. */
  cut(): void {
    this.#socket.terminate();
  }

  /** Ignores unknown frames, fields and values: a later revision may add them. */
  #take(frame: JsonObject | undefined): void {
    if (frame === undefined || this.#over) return;
    switch (frame['type']) {
      case 'session.started':
        return this.#start(frame);
      case 'prompt':
        return this.#listen(frame['text']);
      case 'dtmf':
        // This assistant asks for no digits, so it ignores keys.
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

  /** The service has already greeted the caller. Only a caller who returns from a failed takeover is addressed. */
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

  /** The caller hears a skill that works. A refusal is announced; otherwise the caller would wait in vain. */
  #learn(frame: JsonObject): void {
    const key = asText(frame['key']);
    const skill = key === undefined ? undefined : this.#asked.get(key);
    if (skill === undefined) return;
    this.#asked.delete(skill.key);
    if (frame['ok'] !== false) return;
    this.#sayNext = afterRefusedSkill(skill, frame['reason']);
    if (this.#answering === undefined) this.#goOn();
  }

  /** Starts an answer in place of the running one: a caller cannot follow two voices at once. */
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

  /** Only speech is streamed. The text of an action is sent with it, so that no interruption comes in between. */
  async #express({ answer, pieceEveryMs }: Thought, signal: AbortSignal): Promise<void> {
    const { text, action, note, executeSkills = [] } = answer;
    if (action !== 'none') return this.#send({ type: 'action', action, text, note });
    const skills = chooseSkills(executeSkills, this.#skills);
    if (skills.length === 0) return this.#speak(text, pieceEveryMs, signal);

    for (const skill of skills) this.#asked.set(skill.key, skill);
    // Before a forward, the service speaks the announcement, or its own line. So our text is the announcement there.
    // For an alert we speak it ourselves, and it is not announced a second time.
    const forwards = skills.some(({ kind }) => kind === 'forward');
    if (!forwards) this.#send({ type: 'text', text, last: true });
    const keys = skills.map(({ key }) => key);
    this.#send({ type: 'skill', executeSkills: keys, note, announcement: forwards ? text : '' });
  }

  #speak(text: string, pieceEveryMs: number, signal: AbortSignal): Promise<void> {
    return speak({ text, pieceEveryMs, signal, say: (piece) => this.#send({ type: 'text', ...piece }) });
  }

  #handOver(note: string): void {
    this.#send({ type: 'action', action: 'handover', text: FAILURE_APOLOGY, note });
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

import type { IncomingMessage } from 'node:http';
import { WebSocket, type RawData } from 'ws';
import type { PhoneSeams } from './phone.ts';

export interface CallSkill {
  id: number;
  key: string;
  kind: string;
}

/** The first frame of a call as far as an AI reads it. */
export interface SessionStarted {
  protocol: string;
  callId: string;
  callSid: string;
  from: string;
  to: string;
  language: string;
  contact: { id: number; name?: string | null };
  skills: CallSkill[];
  resumed?: string;
  resumedAfter?: SkillResult;
}

export interface SkillResult {
  key: string;
  ok: boolean;
  reason?: string;
}

/** A frame of the service, which has a type and other fields. */
export type ServiceFrame = { type: string } & Record<string, unknown>;

/** Data that the AI sends: a frame that is written as JSON, or raw text or bytes. */
export type AiFrame = Record<string, unknown> | string | Buffer;

/** One frame and the milliseconds from the frame before it, or from the moment that it became due. */
export interface Step {
  afterMs: number;
  frame: AiFrame;
}

/** One call as the AI sees it: the sentences it heard, and its pending speech. */
export class PhoneCall {
  readonly callId: string;
  readonly request: IncomingMessage;
  readonly socket: WebSocket;
  readonly seams: PhoneSeams;
  started: SessionStarted | undefined;
  /** Number of sentences so far. */
  prompts = 0;
  /** After an action of the AI or the end of the session there is nothing more to say. */
  isOver = false;
  /** Whether sent speech is still open. */
  isAnswerOpen = false;
  #rest: Step[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(callId: string, request: IncomingMessage, socket: WebSocket, seams: PhoneSeams) {
    this.callId = callId;
    this.request = request;
    this.socket = socket;
    this.seams = seams;
    socket.on('message', (data) => this.#take(data));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      seams.closed(this);
      this.silence();
    });
    seams.connected(this);
  }

  /** Whether steps are being played. */
  get isTalking(): boolean {
    return this.#timer !== undefined;
  }

  /** Plays these steps after the pending ones. */
  play(steps: readonly Step[]): void {
    this.#rest.push(...steps);
    if (this.#timer === undefined) this.#next();
  }

  /** Stops playing at once and returns the remaining steps. */
  silence(): Step[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#rest.splice(0);
  }

  /** Sends a frame now. */
  send(frame: AiFrame): void {
    for (const one of this.seams.write(frame, this)) {
      if (this.socket.readyState !== WebSocket.OPEN) return;
      if (isObject(one) && one.type === 'text') this.isAnswerOpen = one.last !== true;
      if (isObject(one) && (one.action === 'end' || one.action === 'handover')) this.isOver = true;
      this.seams.transmit(this.socket, isObject(one) ? this.seams.encode(one) : one);
    }
  }

  #next(): void {
    const [step] = this.#rest;
    if (step === undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#rest.shift();
      this.send(step.frame);
      if (this.#timer === undefined) this.#next();
    }, step.afterMs);
  }

  #take(data: RawData): void {
    try {
      this.seams.hear(JSON.parse((data as Buffer).toString('utf8')) as ServiceFrame, this);
    } catch (error) {
      this.seams.crash(error, this);
    }
  }
}

function isObject(frame: AiFrame): frame is Record<string, unknown> {
  return typeof frame === 'object' && !Buffer.isBuffer(frame);
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { JsonFields, JsonValue } from '../specs/json-value.ts';

/** The AI's answer to each frame of a call that it has a script for, by the number of prompts so far. */
export type AiScript = (frame: JsonFields, prompts: number) => readonly JsonValue[];

/** An own AI on loopback that answers the calls with one id by a script, and every other one plainly. */
export class ScriptedAi implements AsyncDisposable {
  /** Frames of the service in scripted calls since the script was set, in order. */
  heard: JsonFields[] = [];
  readonly #server: WebSocketServer;
  #script: AiScript = () => [];

  private constructor(callId: string) {
    this.#server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    this.#server.on('connection', (socket, request) => {
      const isScripted = request.headers['x-svc-call-id'] === callId;
      // The driver reports the end of a connection.
      socket.on('error', () => undefined);
      if (isScripted) this.#play(socket, this.#script);
      else socket.on('message', (data: Buffer) => answerPlainly(socket, data));
    });
  }

  /** Listens on any free port. */
  static async open(callId: string): Promise<ScriptedAi> {
    const ai = new ScriptedAi(callId);
    await once(ai.#server, 'listening');
    return ai;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/voice`;
  }

  /** Sets the script for the following calls. */
  follow(script: AiScript): void {
    this.#script = script;
    this.heard = [];
  }

  #play(socket: WebSocket, script: AiScript): void {
    let prompts = 0;
    socket.on('message', (data: Buffer) => {
      const frame = frameOf(data);
      this.heard.push(frame);
      if (frame['type'] === 'prompt') prompts++;
      for (const answer of script(frame, prompts)) socket.send(JSON.stringify(answer));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#server.clients) socket.terminate();
    await closed;
  }
}

function frameOf(data: Buffer): JsonFields {
  return JSON.parse(data.toString('utf8')) as JsonFields;
}

function answerPlainly(socket: WebSocket, data: Buffer): void {
  if (frameOf(data)['type'] === 'prompt') socket.send(JSON.stringify({ type: 'text', text: 'Yes.', last: true }));
}

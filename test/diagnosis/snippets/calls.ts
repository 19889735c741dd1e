import { get } from 'node:http';
import { WebSocket } from 'ws';
import { deliver } from './deliver.ts';

export type Headers = Record<string, string | string[]>;

/** Milliseconds without a piece after which speech has ended; a piece comes every 30. */
const silenceMs = 400;

/** 101 if the upgrade is accepted, else the status of the refusal. */
function upgrade(url: string, headers: Headers): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = new WebSocket(url, { headers: headers as Record<string, string> });
    call.on('open', () => {
      call.terminate();
      resolve(101);
    });
    call.on('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', reject);
  });
}

/** The same for our substitute for Spring, which only decides: 204 means that it would accept the upgrade. */
function decision(url: string, headers: Headers): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 204 ? 101 : (response.statusCode ?? 0));
    }).on('error', reject);
  });
}

interface Piece {
  type: string;
  text: string;
  last: boolean;
}

/** Status of an upgrade at `verify-call`: 101 if it is accepted. */
export function upgradeStatus(url: string, headers: Headers, isStandIn: boolean): Promise<number> {
  return isStandIn ? decision(url, headers) : upgrade(url.replace('http', 'ws'), headers);
}

const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms));

/** An established call, with the pieces that arrived. */
export interface OpenedCall extends Disposable {
  pieces: Piece[];
  /** Sends a frame; the session of a substitute may be busy before it reads the frame. */
  say(frame: object, busyMs?: number): Promise<void>;
  /** Waits until the pieces match. */
  until(fits: () => boolean): Promise<void>;
  /** Pieces that arrive although silence is expected. */
  rest(): Promise<number>;
  isOpen(): boolean;
}

let opened = 0;

/** The same for the substitute for Spring: every request contains all frames of the call so far. */
export function standInCall(url: string): OpenedCall {
  const session = `${process.pid}-${(opened += 1)}`;
  const pieces: Piece[] = [];
  let seen = 0;
  const exchange = async (frame: string, busyMs?: number) => {
    const headers: [string, string][] = [['X-Session', session]];
    if (busyMs !== undefined) headers.push(['X-Busy-Ms', String(busyMs)]);
    const sent = JSON.parse((await deliver(url, frame, headers)).body) as Piece[];
    pieces.push(...sent.slice(seen));
    seen = sent.length;
  };
  return {
    pieces,
    say: (frame, busyMs) => exchange(JSON.stringify(frame), busyMs),
    until: async (fits) => {
      for (;;) {
        await exchange('');
        if (fits()) return;
        await pause(20);
      }
    },
    rest: async () => {
      await exchange('');
      const before = pieces.length;
      await pause(silenceMs);
      await exchange('');
      return pieces.length - before;
    },
    isOpen: () => true,
    [Symbol.dispose]: () => undefined,
  };
}

export async function connectCall(url: string): Promise<OpenedCall> {
  const call = new WebSocket(url);
  const pieces: Piece[] = [];
  const waiting = new Set<() => void>();
  call.on('message', (data: Buffer) => {
    pieces.push(JSON.parse(data.toString('utf8')));
    waiting.forEach((look) => look());
  });
  await new Promise((resolve, reject) => call.once('open', resolve).once('error', reject));
  return {
    pieces,
    say: async (frame) => call.send(JSON.stringify(frame)),
    until: (fits) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!fits()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    rest: async () => {
      const before = pieces.length;
      await pause(silenceMs);
      return pieces.length - before;
    },
    isOpen: () => call.readyState === WebSocket.OPEN,
    [Symbol.dispose]: () => call.terminate(),
  };
}

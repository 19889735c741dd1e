import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiTrouble, ArrivedRequest } from './api/install-recording.ts';
import { ApiTroubles } from './api-troubles.ts';
import { Control } from './control.ts';
import { targetBelow } from './target-below.ts';
import { SimulatedService, type ServiceOptions } from './simulated-service.ts';
import { StepPlayer, type StepSecrets } from './step-player.ts';

/** Milliseconds for a request to be complete, so that an endless one cannot occupy a connection forever. */
const requestTimeoutMs = 60_000;

export interface ControlledOptions extends Omit<ServiceOptions, 'makeServer'> {
  /** Secrets for signing deliveries to addresses that a step connects. */
  secrets: StepSecrets;
  /** Called when `POST /stop` of the control API was answered; without it the address does not exist. */
  onStop?: () => void;
  /**
   * Answers requests for a page about the service, ahead of the API and the control API; returns whether it did.
   * `target`: path and query below the base URL.
   */
  page?: (request: IncomingMessage, response: ServerResponse, target: string) => boolean;
}

/** The simulated service with a control API on the same port, for its first inbox. */
export class ControlledService implements AsyncDisposable {
  readonly service: SimulatedService;
  /** Plays steps, for scenario files. */
  readonly player: StepPlayer;
  /** Prefix of every address of the control API; on this machine, even when the service has a public address. */
  readonly controlUrl: string;
  readonly #control: Control;

  private constructor(service: SimulatedService, player: StepPlayer, control: Control, controlUrl: string) {
    this.service = service;
    this.player = player;
    this.#control = control;
    this.controlUrl = controlUrl;
  }

  /** Starts it. Throws the errors of listening (`EADDRINUSE` …). */
  static async open({ secrets, apiHooks, onStop, page, ...options }: ControlledOptions): Promise<ControlledService> {
    const troubles = new ApiTroubles();
    // The server exists before the control API.
    const door: { control?: Control } = {};
    const below = targetBelow(options.publicUrl);
    const service: SimulatedService = await SimulatedService.open({
      ...options,
      apiHooks: {
        ...apiHooks,
        trouble: (request) => {
          const trouble = troubles.take(request) ?? apiHooks?.trouble?.(request);
          if (trouble) logTrouble(service, request, trouble);
          return trouble;
        },
      },
      makeServer: (handle) =>
        createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
          const target = below(request.url ?? '/');
          if (page?.(request, response, target)) return;
          if (door.control?.owns(target)) {
            request.url = target;
            door.control.handle(request, response);
          } else {
            handle(request, response);
          }
        }),
    });
    const player = new StepPlayer(service.inbox, { secrets, troubles });
    const control = new Control(service.inbox, player, onStop);
    await control.ready();
    door.control = control;
    return new ControlledService(service, player, control, ownAddress(service, options.host) + control.prefix);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // An open connection of a client must not keep the service running.
    this.service.app.server.closeAllConnections();
    await this.service[Symbol.asyncDispose]();
    await this.#control[Symbol.asyncDispose]();
  }
}

/** Logs the ordered failure that the client meets, so that its cause is visible. */
function logTrouble({ inbox }: SimulatedService, { operation, method }: ArrivedRequest, trouble: ApiTrouble): void {
  const status = trouble.kind === 'answer-instead' ? trouble.status : '';
  const words = {
    'cut-after': 'processed, and cut off without an answer',
    slow: 'processed, and answered late',
    'answer-instead': `answered ${status}, and not processed`,
  }[trouble.kind];
  inbox.log('api-request', `${operation ?? method} meets the ordered failure: ${words}`, {
    operation,
    trouble,
  });
}

function ownAddress({ app }: SimulatedService, host = '127.0.0.1'): string {
  const { port } = app.server.address() as AddressInfo;
  const any: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const name = any[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

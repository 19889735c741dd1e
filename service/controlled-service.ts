import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiTrouble, ArrivedRequest } from './api/recording.ts';
import { ApiTroubles } from './api-troubles.ts';
import { Control } from './control.ts';
import { targetBelow } from './request-target.ts';
import { SimulatedService, type ServiceOptions } from './simulated-service.ts';
import { StepPlayer, type StepSecrets } from './step-player.ts';

/** Milliseconds for a request to be complete, so that one that never ends does not hold a connection for good. */
const requestTimeoutMs = 60_000;

export interface ControlledOptions extends Omit<ServiceOptions, 'makeServer'> {
  /** What addresses are signed with that a step connects. */
  secrets: StepSecrets;
  /** Is called when `POST /stop` of the control API was answered; without it there is no such address. */
  onStop?: () => void;
}

/** The simulated service with a control API on the same port, for its first inbox. */
export class ControlledService implements AsyncDisposable {
  readonly service: SimulatedService;
  /** Plays steps, for scenario files. */
  readonly player: StepPlayer;
  /** Begins every address of the control API; on this machine, also where the service has a public one. */
  readonly controlUrl: string;
  readonly #control: Control;

  private constructor(service: SimulatedService, player: StepPlayer, control: Control, controlUrl: string) {
    this.service = service;
    this.player = player;
    this.#control = control;
    this.controlUrl = controlUrl;
  }

  /** Starts it. Throws what listening throws (`EADDRINUSE` …). */
  static async open({ secrets, apiHooks, onStop, ...options }: ControlledOptions): Promise<ControlledService> {
    const troubles = new ApiTroubles();
    // The server is there before the control API is.
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
    // Whoever keeps a connection open must not keep the service up.
    this.service.app.server.closeAllConnections();
    await this.service[Symbol.asyncDispose]();
    await this.#control[Symbol.asyncDispose]();
  }
}

/** What the client meets is in the log, so that nobody looks for another reason. */
function logTrouble({ inbox }: SimulatedService, { operation, method }: ArrivedRequest, trouble: ApiTrouble): void {
  const status = trouble.kind === 'answer-instead' ? trouble.status : '';
  const words = {
    'cut-after': 'processed, and cut off without an answer',
    slow: 'processed, and answered late',
    'answer-instead': `answered ${status}, and not processed`,
  }[trouble.kind];
  inbox.log('api-request', `${operation ?? method} meets the trouble that was ordered: ${words}`, {
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

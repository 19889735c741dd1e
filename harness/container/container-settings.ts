import type { Config, ContainerTarget } from '../../specs/generated/types.ts';

/** Default seconds until a container must be ready. */
const readySecondsDefault = 60;

/** The container of a run. */
export interface ContainerSettings {
  /** If missing, the command must name an image. */
  image?: string;
  /** The port on which it listens; default: the only port that the image exposes. */
  port?: number;
  /** Environment variables of the container, including the secrets of the config. */
  env: Record<string, string>;
  /** Names of the variables in `env` that hold secrets. */
  secret: string[];
  wait: {
    /** Path of which a GET must be answered with 2xx. */
    path?: string;
    /** Text that it must write. */
    log?: string;
    timeoutSeconds: number;
  };
  /** An existing network to start it in. */
  network?: string;
}

/**
 * Resolves the container settings with their secrets. The container gets each secret of the config, in the variable
 * that the config reads it from; `SVC_API_KEY` also contains the API key.
 *
 * @param read returns the value of a reference `env:NAME` at a key, or throws
 */
export function containerSettings(
  { crmWebhook, apiWebhooks, chat, phone, service }: Config,
  { image, port, env = {}, wait = {}, network }: ContainerTarget,
  read: (reference: string, key: string) => string,
): ContainerSettings {
  const given = Object.entries(env).map(([name, value]) => ({ name, value, key: `container.env.${name}` }));
  const handed = [
    { reference: crmWebhook?.token, key: 'crmWebhook.token' },
    { reference: apiWebhooks?.secret, key: 'apiWebhooks.secret' },
    { reference: chat?.secret, key: 'chat.secret' },
    { reference: phone?.secret, key: 'phone.secret' },
    { reference: service?.apiKey, key: 'service.apiKey' },
    { name: 'SVC_API_KEY', reference: service?.apiKey, key: 'service.apiKey' },
  ].flatMap(({ name, reference, key }) =>
    reference === undefined ? [] : { name: name ?? nameOf(reference), value: reference, key },
  );
  const variables = new Map([...handed, ...given].map((variable) => [variable.name, variable]));
  const secret = [...variables.values()].filter(({ value }) => isReference(value)).map(({ name }) => name);
  return {
    ...(image !== undefined && { image }),
    ...(port !== undefined && { port }),
    env: Object.fromEntries(
      [...variables.values()].map(({ name, value, key }) => [name, isReference(value) ? read(value, key) : value]),
    ),
    secret,
    wait: { ...wait, timeoutSeconds: wait.timeoutSeconds ?? readySecondsDefault },
    ...(network !== undefined && { network }),
  };
}

function isReference(value: string): boolean {
  return /^env:[A-Za-z_][A-Za-z0-9_]*$/.test(value);
}

function nameOf(reference: string): string {
  return reference.slice('env:'.length);
}

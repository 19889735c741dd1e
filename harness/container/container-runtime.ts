import type { ContainerRuntimeClient } from 'testcontainers';
import { HarnessFault } from '../checks/faults.ts';

/** What is known of an image. */
export interface KnownImage {
  /** `sha256:` of its manifest where the runtime knows one, else the image id. */
  digest: string;
  digestOf: 'manifest' | 'image';
  /** Ports that it exposes. */
  ports: number[];
}

/** Finds Docker, or what stands in for it. Throws {@link HarnessFault} `container-runtime-missing`. */
export async function containerRuntime(): Promise<ContainerRuntimeClient> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  try {
    return await getContainerRuntimeClient();
  } catch (error) {
    throw new HarnessFault(
      'container-runtime-missing',
      'Docker could not be reached, nor another runtime of containers. Is it running, and may this user use it? DOCKER_HOST names one elsewhere.',
      { cause: error },
    );
  }
}

/** Looks an image up, and pulls it when it is not there. Throws {@link HarnessFault} `image-not-found`. */
export async function findImage({ image }: ContainerRuntimeClient, name: string): Promise<KnownImage> {
  const { ImageName } = await import('testcontainers');
  try {
    const wanted = ImageName.fromString(name);
    await image.pull(wanted);
    const { Id, RepoDigests = [], Config } = await image.inspect(wanted);
    const repository = [wanted.registry, wanted.image].filter(Boolean).join('/');
    const named = RepoDigests.find((one) => one.startsWith(`${repository}@`)) ?? RepoDigests[0];
    const manifest = named?.split('@')[1];
    const exposed = Object.keys(Config.ExposedPorts ?? {});
    return {
      ...(manifest === undefined ? { digest: Id, digestOf: 'image' } : { digest: manifest, digestOf: 'manifest' }),
      ports: exposed.filter((port) => !port.endsWith('/udp')).map((port) => parseInt(port, 10)),
    };
  } catch (error) {
    throw new HarnessFault(
      'image-not-found',
      `The image ${name} is not on this machine and could not be had: ${reasonOf(error)}.`,
      { cause: error },
    );
  }
}

/** What the runtime said, without what its client puts around it. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/^\(HTTP code \d+\) [\w ]+ - /, '')
    .trim()
    .replace(/\.$/, '');
}

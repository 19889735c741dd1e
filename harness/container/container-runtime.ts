import type { ContainerRuntimeClient } from 'testcontainers';
import { HarnessFault } from '../checks/faults.ts';
import { requirePackage } from '../checks/require-packages.ts';

/** Metadata of an image. */
export interface KnownImage {
  /** `sha256:` of its manifest if the runtime knows it, else the image id. */
  digest: string;
  digestOf: 'manifest' | 'image';
  /** Exposed ports. */
  ports: number[];
}

/** Connects to Docker or a compatible runtime. Throws {@link HarnessFault} `package-missing` and
 * `container-runtime-missing`. */
export async function containerRuntime(): Promise<ContainerRuntimeClient> {
  const { getContainerRuntimeClient } = await requirePackage('testcontainers');
  try {
    return await getContainerRuntimeClient();
  } catch (error) {
    throw new HarnessFault('container-runtime-missing', { cause: error });
  }
}

/** Looks up an image and pulls it if it is missing. Throws {@link HarnessFault} `image-not-found`. */
export async function findImage({ image }: ContainerRuntimeClient, name: string): Promise<KnownImage> {
  const { ImageName } = await requirePackage('testcontainers');
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
    throw new HarnessFault('image-not-found', { image: name, reason: reasonOf(error) }, { cause: error });
  }
}

/** The runtime's error message without the prefix of its client. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/^\(HTTP code \d+\) [\w ]+ - /, '')
    .trim()
    .replace(/\.$/, '');
}

import type { ContainerRuntimeClient } from 'testcontainers';
import { describe, expect, it } from 'vitest';
import { findImage } from '../../harness/container/container-runtime.ts';

const id = `sha256:${'1'.repeat(64)}`;
const manifest = (name: string, digit: string) => `${name}@sha256:${digit.repeat(64)}`;

/** A container runtime that has one image. */
function runtimeWith(repoDigests: string[] | undefined): ContainerRuntimeClient {
  const inspected = { Id: id, RepoDigests: repoDigests, Config: { ExposedPorts: { '8080/tcp': {}, '53/udp': {} } } };
  const image = { pull: () => Promise.resolve(), inspect: () => Promise.resolve(inspected) };
  return { image } as unknown as ContainerRuntimeClient;
}

describe('the digest of an image', () => {
  it('is that of its manifest under the requested name', async () => {
    const digests = [manifest('registry.example.com/other', '2'), manifest('registry.example.com/endpoint', '3')];
    expect(await findImage(runtimeWith(digests), 'registry.example.com/endpoint:1.2')).toEqual({
      digest: `sha256:${'3'.repeat(64)}`,
      digestOf: 'manifest',
      ports: [8080],
    });
  });

  it.each([[[]], [undefined]])('is the image id, and says so, where no manifest is known: %j', async (digests) => {
    expect(await findImage(runtimeWith(digests), 'endpoint')).toMatchObject({ digest: id, digestOf: 'image' });
  });
});

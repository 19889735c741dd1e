import { expect, it, vi } from 'vitest';
import { openService } from './open-service.ts';

vi.mock(import('../../specs/optional-packages.ts'), async (original) => ({
  ...(await original()),
  loadOptional: async () => undefined,
}));

it('the API reference names the command that installs its package, and links the description', async () => {
  await using open = await openService();
  const page = await open.get('/v1/docs/', { key: null });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.text).toContain('npm install --save-dev --ignore-scripts @scalar/fastify-api-reference@1');
  expect(page.text).toContain('href="../openapi.json"');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
});

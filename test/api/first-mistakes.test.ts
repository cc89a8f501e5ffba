import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { mintKey, type Body } from '../support/service/world.ts';

/** What a newcomer gets wrong first, and whether the answer says what to do. */
const api = useApi();
const NOTE = { type: 'note', criteria: {} };

describe('a platform key that creates a record', () => {
  it('422: is told that it acts for no agent, and not that the type is unknown', async () => {
    const answer = await api.world.platform.post('/v1/records', NOTE);
    expectProblem(answer, 422, 'VALIDATION_ERROR', {
      detail: 'A platform key acts for no agent of an org, so the principal must be named.',
    });
    expect((answer.body['errors'] as Body[])[0]).toMatchObject({ path: '/principalAgentId' });
    expect(answer.body['suggestion']).toMatch(/principalAgentId.*a key of that agent/);
    expect(answer.body['allowedValues']).toBeUndefined();
  });

  it('201: where it names the principal', async () => {
    const principalAgentId = api.world.principal.id;
    const answer = await api.world.platform.post('/v1/records', { ...NOTE, principalAgentId });
    expect(answer.status).toBe(201);
  });
});

describe('a key without the scope', () => {
  it('403: of an agent, for what agents cannot hold, is told whose key to use', async () => {
    const answer = await api.world.principal.client.post('/v1/schemas', {});
    expectProblem(answer, 403, 'INSUFFICIENT_SCOPE', { missingScopes: ['schemas:admin'] });
    expect(answer.body['suggestion']).toBe(
      'A key of the role agent cannot hold it: use an admin key of the org, or a platform key.',
    );
  });

  it('403: for what its role may hold, is told how to get a key that has it', async () => {
    const narrow = await mintKey(api.world.admin, api.world.principal.id, {
      scopeProfile: 'agent-readonly',
    });
    const answer = await narrow.client.post('/v1/records', NOTE);
    expectProblem(answer, 403, 'INSUFFICIENT_SCOPE', { missingScopes: ['records:write'] });
    expect(answer.body['suggestion']).toMatch(
      /POST \/v1\/admin\/api-keys.*GET \/v1\/scope-profiles/,
    );
  });
});

describe('a body that is no JSON', () => {
  it.each([
    ["{'type': 'note'}", 1, 2],
    ['{\n  "type": "note",\n  "criteria": {},\n}', 4, 1],
    ['{"type": "note"', 1, 16],
  ])('400: %j is refused with line and column', async (text, line, column) => {
    const { url, principal } = api.world;
    const response = await fetch(`${url}/v1/records`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${principal.client.key!}`,
        'content-type': 'application/json',
      },
      body: text,
    });
    const body = (await response.json()) as Body;
    expect(response.status).toBe(400);
    expect(body['detail']).toMatch(
      new RegExp(`^The body is not acceptable JSON, at line ${line}, column ${column}: `),
    );
    expect((body['errors'] as Body[])[0]!['message']).toContain(`line ${line}, column ${column}`);
    expect(body['suggestion']).toMatch(/^Correct the text at that place/);
  });
});

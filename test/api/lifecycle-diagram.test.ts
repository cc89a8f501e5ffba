import { describe, expect, it } from 'vitest';
import { LIFECYCLE } from '../../domain/record/lifecycle.ts';
import { STATUSES } from '../../domain/record/record-status.ts';
import { lifecycleSvg } from '../../domain/record/lifecycle-svg.ts';
import { mermaidOf } from '../../domain/record/lifecycle-diagram.ts';
import { useApi } from '../support/service/api.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { ok, type Body } from '../support/service/world.ts';

const api = useApi();
const raw = async (
  path: string,
  accept?: string,
): Promise<{ status: number; type: string | null; text: string; headers: Headers }> => {
  const response = await fetch(`${api.world.url}${path}`, {
    headers: {
      authorization: `Bearer ${api.world.principal.client.key}`,
      ...(accept === undefined ? {} : { accept }),
    },
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
    headers: response.headers,
  };
};
const MERMAID = 'application/vnd.mermaid';

describe('GET /lifecycle as a diagram', () => {
  it.each([
    ['/lifecycle?format=mermaid', undefined, MERMAID],
    ['/lifecycle', MERMAID, MERMAID],
    ['/lifecycle', 'text/plain', 'text/plain'],
    ['/lifecycle?format=mermaid', 'text/plain, text/html;q=0.5', 'text/plain'],
    ['/lifecycle?format=mermaid', 'application/json', MERMAID],
  ])('200 Mermaid: %s with Accept %s', async (path, accept, type) => {
    expect(await raw(path, accept)).toMatchObject({
      status: 200,
      type: `${type}; charset=utf-8`,
      text: `${mermaidOf(LIFECYCLE)}\n`,
    });
  });

  it.each([
    ['/lifecycle?format=svg', undefined],
    ['/lifecycle', 'image/svg+xml'],
    ['/lifecycle', 'image/*'],
    ['/lifecycle?format=svg', 'text/html,image/avif,*/*;q=0.8'],
  ])('200 SVG: %s with Accept %s', async (path, accept) => {
    expect(await raw(path, accept)).toMatchObject({
      status: 200,
      type: 'image/svg+xml; charset=utf-8',
      text: lifecycleSvg(LIFECYCLE),
    });
  });

  it('200 the table, by default and by format=json, with the reference that every state takes', async () => {
    for (const path of ['/lifecycle', '/lifecycle?format=json']) {
      const { transitions } = await ok(api.world.principal.client.get(path));
      expect(
        (transitions as Body[]).find(({ action }) => action === 'add-reference'),
      ).toMatchObject({
        from: STATUSES,
        to: ['unchanged'],
        entry: 'REFERENCE_ADDED',
        event: 'record.reference_added',
      });
    }
  });

  it('a diagram runs nothing, loads nothing and is framed by nobody', async () => {
    for (const format of ['svg', 'mermaid']) {
      const { headers } = await raw(`/lifecycle?format=${format}`);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('400 with the formats there are for another one; 406 where Accept takes none', async () => {
    expectProblem(
      await api.world.principal.client.get('/lifecycle?format=png'),
      400,
      'VALIDATION_ERROR',
    );
    expectProblem(
      await api.world.principal.client.get('/lifecycle', { accept: 'image/png' }),
      406,
      'NOT_ACCEPTABLE',
    );
  });
});

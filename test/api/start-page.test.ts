import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { ok, type Body } from '../support/service/world.ts';

const api = useApi();

describe('/', () => {
  it('200 without a credential: what this is, that it is well, and links that all lead somewhere', async () => {
    const start = await ok(api.world.anonymous.get('/'));
    expect(start).toMatchObject({ name: 'Notary Service', status: 'ok' });
    expect(start['start']).toContain('Authorization: Bearer');
    const links = (start['links'] as Body[]).map((link) => String(link['href']));
    expect(links).toContain('/docs/openapi.json');
    const answers = await Promise.all(links.map((href) => fetch(`${api.world.url}${href}`)));
    expect(answers.map(({ status }) => status)).toEqual(links.map(() => 200));
  });

  it('is a page for a browser, which loads nothing', async () => {
    const answer = await fetch(`${api.world.url}/`, { headers: { accept: 'text/html' } });
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await answer.text();
    expect(page).toContain('<a href="/docs/openapi.json">');
    expect(page).toContain('&lt;API_KEY&gt;');
    expect(page).not.toMatch(/<script|src=/);
  });
});

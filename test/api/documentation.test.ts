import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { ok, type Body } from '../support/service/world.ts';

const api = useApi();

const get = async (path: string) => {
  const response = await fetch(`${api.world.url}${path}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const anchorsOf = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

describe('the reference', () => {
  it('describes every operation of the OpenAPI document on the page of its tag, and every schema', async () => {
    const document: Body = await ok(api.world.anonymous.get('/docs/openapi.json'));
    const index = (await get('/docs/reference')).text;
    const pages = new Map<string, string>();
    for (const [path, methods] of Object.entries<Body>(document['paths']))
      for (const operation of Object.values<Body>(methods)) {
        const section = slugOf(String(operation['tags'][0]));
        if (!pages.has(section)) pages.set(section, (await get(`/docs/reference/${section}`)).text);
        const anchor = slugOf(String(operation['operationId']));
        expect(index).toContain(`href="/docs/reference/${section}#${anchor}"`);
        expect(anchorsOf(pages.get(section)!).has(anchor), anchor).toBe(true);
        expect(pages.get(section)).toContain(path);
      }
    const schemas = anchorsOf((await get('/docs/reference/components')).text);
    for (const name of Object.keys(document['components']['schemas']))
      expect(schemas.has(slugOf(name)), name).toBe(true);
    for (const html of pages.values())
      for (const [, anchor] of html.matchAll(/"\/docs\/reference\/schemas#([^"]+)"/g))
        expect(schemas.has(anchor!), anchor).toBe(true);
  });

  it('tells what a body takes: which members, of what form, and an example', async () => {
    const { text } = await get('/docs/reference/records');
    expect(text).toContain('<strong>POST</strong> /v1/records');
    expect(text).toMatch(/<td><code>criteria<\/code><\/td>/);
    expect(text).toContain('&#34;invoice&#34;: &#34;INV-1042&#34;');
  });

  it('is sent under a strict policy, compressed, and not again where it is known', async () => {
    for (const path of ['/docs/reference', '/docs/reference/records', '/docs/search?q=dispute']) {
      const { status, headers } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('content-type')).toMatch(/^text\/html/);
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'/,
      );
    }
    const etag = (await get('/docs/reference')).headers.get('etag')!;
    const again = await fetch(`${api.world.url}/docs/reference`, {
      headers: { 'If-None-Match': etag },
    });
    expect(again.status).toBe(304);
  });

  it('has no page for a section that nobody made', async () => {
    for (const section of ['nothing', 'guides', 'frame']) {
      const { status, text } = await get(`/docs/reference/${section}`);
      expect([status, JSON.parse(text)['code']]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await get('/docs/reference/..%2Findex')).status).toBe(400);
  });
});

describe('the search', () => {
  const found = (html: string): readonly string[] =>
    [...html.matchAll(/<li><a href="([^"]+)"/g)].map(([, href]) => href!);

  it('finds operations and sections of guides, by parts of words and with a slip', async () => {
    expect(found((await get('/docs/search?q=dispute')).text)).toContainEqual(
      expect.stringMatching(/^\/docs\/reference\/disputes#/),
    );
    expect(found((await get('/docs/search?q=rotation')).text)).toContainEqual(
      expect.stringMatching(/^\/docs\/guides\/keys-and-rotation/),
    );
    expect(found((await get('/docs/search?q=webhok')).text).length).toBeGreaterThan(3);
  });

  it('shows what was asked as text alone, and says where nothing is found', async () => {
    const { text } = await get(
      `/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>qqqqzzzz')}`,
    );
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('value="&#34;&#62;&#60;script');
    expect((await get('/docs/search?q=qqqqzzzzxxxx')).text).toContain('Nothing was found');
    expect((await get('/docs/search')).text).not.toContain('role="status"');
    expect((await get(`/docs/search?q=${'x'.repeat(201)}`)).status).toBe(400);
  });

  it('looks for the first 8 distinct words, and says so', async () => {
    const before = 'aa bb cc dd ee ff gg';
    const inside = `/docs/search?q=${encodeURIComponent(`${before} gg dispute`)}`;
    expect((await get(inside)).text).not.toContain('first 8 words');
    expect(found((await get(inside)).text).length).toBeGreaterThan(3);
    const { text } = await get(`/docs/search?q=${encodeURIComponent(`${before} hh dispute`)}`);
    expect(text).toContain('Only the first 8 words were looked for.');
    expect(text).toContain('Nothing was found');
  });

  it('takes words of one or two letters as whole words', async () => {
    expect(found((await get('/docs/search?q=di')).text)).toEqual([]);
    expect(found((await get('/docs/search?q=dis')).text).length).toBeGreaterThan(3);
  });
});

describe('/llms.txt', () => {
  it('leads to every guide, and /llms-full.txt holds them', async () => {
    const { text, headers } = await get('/llms.txt');
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    const paths = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path]) => path!);
    expect(paths).toContain('/docs/guides/quick-start');
    for (const path of paths) {
      const [place] = path.split('#');
      const key = place === '/lifecycle' ? api.world.principal.client : api.world.anonymous;
      expect([place, (await key.get(place!)).status]).toEqual([place, 200]);
    }
    const full = (await get('/llms-full.txt')).text;
    for (const title of ['# Quick start', '# Concepts', '# Errors', '# Webhooks'])
      expect(full).toContain(title);
  });
});

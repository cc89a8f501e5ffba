import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';

const api = useApi();

interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** As it is on the wire: fetch would undo the coding. */
const get = (
  path: string,
  headers: { readonly [name: string]: string } = {},
  method = 'GET',
): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const sent = request(`${api.world.url}${path}`, { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          bytes: Buffer.concat(parts),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });

const JSON_PATH = '/docs/openapi.json';
const YAML_PATH = '/docs/openapi.yaml';
const DECODE: { readonly [coding: string]: (bytes: Buffer) => Buffer } = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  br: brotliDecompressSync,
};

describe.each([
  [JSON_PATH, 800_000],
  [YAML_PATH, 1_200_000],
])('%s', (path, most) => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['*', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip;q=0.001, br;q=0', 'gzip'],
    ['br;q=0, *;q=0.3', 'gzip'],
    ['deflate, zstd', 'identity'],
    ['gzip;q=0.5, identity', 'identity'],
    ['identity;q=0.2, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['*;q=0, identity', 'identity'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=nonsense', 'identity'],
  ])('under Accept-Encoding %s comes as %s', async (accepted, coding) => {
    const answer = await get(path, accepted === undefined ? {} : { 'accept-encoding': accepted });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-encoding'] ?? 'identity').toBe(coding);
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    expect(answer.headers.vary).toContain('Accept-Encoding');
    const text = DECODE[coding]!(answer.bytes).toString();
    expect((parse(text) as { openapi: string }).openapi).toBe('3.1.0');
    expect(text.length).toBeLessThan(most);
    if (coding !== 'identity') expect(answer.bytes.length).toBeLessThan(120_000);
  });

  it.each(['identity;q=0', '*;q=0', 'deflate, identity;q=0'])(
    '406 under Accept-Encoding %s, which takes nothing that there is',
    async (accepted) => {
      const { status, headers, bytes } = await get(path, { 'accept-encoding': accepted });
      expect(status).toBe(406);
      expect(headers['content-type']).toBe('application/problem+json');
      expect(JSON.parse(bytes.toString())).toMatchObject({
        code: 'NOT_ACCEPTABLE',
        allowedValues: ['br', 'gzip', 'identity'],
      });
    },
  );

  it('has a strong ETag of its own in each coding, and answers 304 to whoever has it', async () => {
    const tags = new Set<string>();
    for (const coding of ['identity', 'gzip', 'br']) {
      const first = await get(path, { 'accept-encoding': coding });
      const tag = String(first.headers.etag);
      expect(tag).toMatch(/^"[A-Za-z0-9_-]{22,}"$/);
      tags.add(tag);
      for (const wanted of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
        const again = await get(path, { 'accept-encoding': coding, 'if-none-match': wanted });
        expect(again.status, wanted).toBe(304);
        expect(again.bytes.length).toBe(0);
        expect(again.headers.etag).toBe(tag);
        expect(again.headers.vary).toContain('Accept-Encoding');
        expect(again.headers['cache-control']).toBe(first.headers['cache-control']);
      }
      const stale = await get(path, { 'accept-encoding': coding, 'if-none-match': '"stale"' });
      expect(stale.status).toBe(200);
      expect(stale.bytes.equals(first.bytes)).toBe(true);
    }
    expect(tags.size).toBe(3);
  });

  it('answers HEAD with the headers of the coding, and no body', async () => {
    const full = await get(path, { 'accept-encoding': 'gzip' });
    const head = await get(path, { 'accept-encoding': 'gzip' }, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.bytes.length).toBe(0);
    for (const name of ['etag', 'content-encoding', 'content-length', 'content-type', 'vary'])
      expect(head.headers[name], name).toBe(full.headers[name]);
  });
});

describe('both forms of the document', () => {
  it('are the same document', async () => {
    const [json, yaml] = await Promise.all([get(JSON_PATH), get(YAML_PATH)]);
    expect(parse(yaml.bytes.toString())).toEqual(JSON.parse(json.bytes.toString()));
  });

  it('under another media type is another representation, with an ETag of its own', async () => {
    const tags = await Promise.all(
      ['application/json', 'application/vnd.oai.openapi+json'].map(
        async (accept) => (await get(JSON_PATH, { accept })).headers.etag,
      ),
    );
    expect(new Set(tags).size).toBe(2);
    expect((await get(JSON_PATH)).headers.vary).toMatch(/\bAccept\b/);
  });
});

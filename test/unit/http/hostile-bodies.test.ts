import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counted, json, post, raw, start, thingBinding, type Running } from './support.ts';

const { act, acted } = counted();
let running: Running;
beforeAll(async () => void (running = await start([thingBinding], { act })));
afterAll(() => running.stop());

const HEAD =
  'POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer writer\r\nContent-Type: application/json\r\n';
const send = (body: string | Uint8Array): Promise<Response> =>
  fetch(`${running.url}/v1/things`, {
    method: 'POST',
    headers: { authorization: 'Bearer writer', 'content-type': 'application/json' },
    body,
  });

describe('over a real socket, nothing acts on', () => {
  it('a body that is not JSON: 400 with the place', async () => {
    const before = acted.count;
    for (const body of [
      '{"name":"a",}',
      '{"name":',
      'name=a',
      '{"name":"a"} x',
      '\ufeff{"name":"a"}',
      "{'name':'a'}",
      'NaN',
      '{"name":"\\ud800"}',
      '{"data":{"n":9007199254740993},"name":"a"}',
      '{"data":{"n":1e400},"name":"a"}',
    ]) {
      const response = await send(body);
      const problem = await json(response);
      expect(response.status, body).toBe(400);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(problem).toMatchObject({
        code: 'VALIDATION_ERROR',
        type: '/problems/validation-error',
      });
      expect(problem['errors']).toHaveLength(1);
    }
    expect(acted.count).toBe(before);
  });

  it('a member that stands twice: 400 with its pointer', async () => {
    const problem = await json(await send('{"name":"a","data":{"x":1,"x":2}}'));
    expect(problem).toMatchObject({ status: 400, errors: [{ path: '/data/x' }] });
  });

  it('bytes that are not UTF-8: 400', async () => {
    for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
      const response = await send(
        Uint8Array.of(...Buffer.from('{"name":"'), ...bytes, ...Buffer.from('"}')),
      );
      expect(response.status).toBe(400);
      expect((await json(response))['detail']).toContain('UTF-8');
    }
  });

  it('a body nested deeper than 64: 400, and 64 deep is taken', async () => {
    const deep = (levels: number): string =>
      `{"name":"a","data":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
    expect((await send(deep(63))).status).toBe(400);
    expect((await send(deep(62))).status).toBe(201);
  });

  it('a Content-Length above the limit: 413 before a byte is read', async () => {
    const answer = await raw(running.port, (write) =>
      write(`${HEAD}Content-Length: 1073741824\r\n\r\n{"name":`),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"/problems/payload-too-large"');
  });

  it('a chunked body that grows past the limit: 413, and what follows is thrown away', async () => {
    const chunk = `400\r\n${' '.repeat(0x400)}\r\n`;
    const answer = await raw(running.port, (write) => {
      write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
      for (let i = 0; i < 64; i++) write(chunk);
      write('0\r\n\r\n');
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('a body that ends before its announced length: nothing acts, and the connection closes', async () => {
    const before = acted.count;
    const answer = await raw(running.port, (write, end) => {
      write(`${HEAD}Content-Length: 100\r\n\r\n{"name":"a"}`);
      end();
    });
    expect(answer === '' || answer.startsWith('HTTP/1.1 400 ')).toBe(true);
    expect(acted.count).toBe(before);
  });

  it('a chunked body whose connection breaks: nothing acts', async () => {
    const before = acted.count;
    await raw(running.port, (write, end) => {
      write(`${HEAD}Transfer-Encoding: chunked\r\n\r\nc\r\n{"name":"a"}\r\n`);
      end();
    });
    expect(acted.count).toBe(before);
  });

  it('two lengths, or a length beside chunks: 400, so that no proxy reads another request than we do', async () => {
    const before = acted.count;
    for (const headers of [
      'Content-Length: 12\r\nContent-Length: 13\r\n',
      'Content-Length: 12\r\nTransfer-Encoding: chunked\r\n',
      'Transfer-Encoding: xchunked\r\n',
    ]) {
      expect(
        await raw(running.port, (write) => write(`${HEAD}${headers}\r\n{"name":"a"}`)),
        headers,
      ).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(acted.count).toBe(before);
  });

  it('bytes that are not HTTP: 400, as a problem document', async () => {
    const answer = await raw(running.port, (write) =>
      write('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('application/problem+json');
    expect(answer).toContain('X-Request-ID');
  });

  it('a path with a broken escape, a null byte or a traversal: 400 or 404', async () => {
    for (const path of [
      '/v1/%zz',
      '/v1/%ff',
      '/v1/things%00',
      '/v1/../etc/passwd',
      '//v1//things',
      '/v1/things/..;/x',
    ]) {
      const answer = await raw(running.port, (write) =>
        write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
      );
      expect(answer, path).toMatch(/^HTTP\/1\.1 40[045] /);
      expect(answer, path).toContain('application/problem+json');
    }
  });

  it('another media type: 415, and no media type on a body: 415', async () => {
    expect(
      (await post(`${running.url}/v1/things`, '{"name":"a"}', { 'content-type': 'text/plain' }))
        .status,
    ).toBe(415);
    const answer = await raw(running.port, (write) =>
      write(
        `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer writer\r\nContent-Length: 12\r\n\r\n{"name":"a"}`,
      ),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
  });

  it('no body where one is required: 400', async () => {
    const response = await fetch(`${running.url}/v1/things`, {
      method: 'POST',
      headers: { authorization: 'Bearer writer' },
    });
    expect(response.status).toBe(400);
    expect((await json(response))['detail']).toBe('A JSON body is required.');
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FilesystemAnchors } from '../../../adapters/anchor/filesystem/filesystem-anchors.ts';
import { S3Anchors } from '../../../adapters/anchor/s3/s3-anchors.ts';
import type { AnchorStore } from '../../../domain/vault/anchor.port.ts';

const KEY = 'anchors/a/000000000001-aa.cose';
const MOST = 1024 * 1024;

const lengthAt = async (store: AnchorStore): Promise<number> => (await store.get(KEY))?.length ?? 0;
const keysOf = async (store: AnchorStore): Promise<readonly string[]> => {
  const keys: string[] = [];
  for await (const { key } of store.list('anchors/')) keys.push(key);
  return keys;
};

/** Whoever writes where the anchors are puts something there that ends never, or is no file at all. */
describe('a directory of anchors with what is none in it', () => {
  let directory: string;
  const store = (): FilesystemAnchors => new FilesystemAnchors(directory);
  const at = (name: string): string => join(directory, 'anchors/a', name);

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'notary-anchors-'));
    mkdirSync(join(directory, 'anchors/a'), { recursive: true });
  });
  afterEach(() => rmSync(join(directory, KEY), { force: true }));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('reads no more of a file than an anchor can have', async () => {
    writeFileSync(join(directory, KEY), '');
    truncateSync(join(directory, KEY), 64 * MOST);
    expect(await lengthAt(store())).toBeLessThan(MOST);
  });

  it('waits for no pipe', async () => {
    execFileSync('mkfifo', [join(directory, KEY)]);
    expect(await lengthAt(store())).toBe(0);
  }, 2_000);

  it('lists what can be read, past a link that leads nowhere', async () => {
    symlinkSync('/nowhere', at('000000000009-bb.cose'));
    writeFileSync(join(directory, KEY), 'an anchor');
    expect(await keysOf(store())).toEqual([KEY]);
  });
});

describe('a bucket that lies', () => {
  let server: Server;
  let answers: 'endless object' | 'endless list';
  let asked = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked++;
      if (!request.url?.includes('versions')) {
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(MOST)));
          response.once('drain', more);
        };
        return more();
      }
      const isCut = answers === 'endless list';
      response.setHeader('content-type', 'application/xml');
      response.end(
        `<?xml version="1.0"?><ListVersionsResult><IsTruncated>${isCut}</IsTruncated>${isCut ? `<NextKeyMarker>${KEY}</NextKeyMarker><NextVersionIdMarker>1</NextVersionIdMarker>` : ''}<Version><Key>${KEY}</Key><VersionId>1</VersionId><IsLatest>true</IsLatest><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>10</Size></Version></ListVersionsResult>`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const store = (): S3Anchors =>
    new S3Anchors(
      {
        bucket: 'b',
        region: 'eu-central-1',
        endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
        ca: null,
        lock: null,
      },
      () => new Date(),
    );

  it('reads no more of an object than an anchor can have', async () => {
    answers = 'endless object';
    expect(await lengthAt(store())).toBeLessThan(2 * MOST);
  });

  it('ends a list that comes back to where it was', async () => {
    answers = 'endless list';
    asked = 0;
    await expect(keysOf(store())).rejects.toMatchObject({ reason: 'unavailable' });
    expect(asked).toBeLessThan(10);
  });
});

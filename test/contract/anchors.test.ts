import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FilesystemAnchors } from '../../adapters/anchor/filesystem/filesystem-anchors.ts';
import { S3Anchors, type S3AnchorOptions } from '../../adapters/anchor/s3/s3-anchors.ts';
import { AnchorError, type AnchorStore } from '../../domain/vault/anchor.port.ts';
import { serveTls, tlsFiles } from '../support/peers/oidc.ts';
import { s3Server } from '../support/peers/s3-server.ts';

// Contract of domain/vault/anchor.port.ts

const keysOf = async (store: AnchorStore, prefix: string): Promise<readonly string[]> => {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
};

const suite = (open: () => AnchorStore): void => {
  const some = (): Uint8Array => Uint8Array.from(randomBytes(300));

  it('gives back what was put, and null for what was not', async () => {
    const store = open();
    const bytes = some();
    expect(await store.get('anchors/a/000000000001-aa.cose')).toBeNull();
    expect(await store.put('anchors/a/000000000001-aa.cose', bytes)).toBe('written');
    expect(await store.get('anchors/a/000000000001-aa.cose')).toEqual(bytes);
  });

  it('writes once: the same bytes again are present, other bytes are refused and change nothing', async () => {
    const store = open();
    const key = 'anchors/b/000000000001-bb.cose';
    const bytes = some();
    const [one, two] = await Promise.all([store.put(key, bytes), store.put(key, bytes)]);
    expect([one, two].sort()).toEqual(['present', 'written']);
    expect(await store.put(key, bytes)).toBe('present');
    const refused = await store.put(key, some()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AnchorError);
    expect(refused).toMatchObject({ reason: 'differs' });
    expect(await store.get(key)).toEqual(bytes);
  });

  it('lists in order of keys, by prefix, with size and time', async () => {
    const store = open();
    const begun = Date.now();
    for (const name of ['c/000000000010-a', 'c/000000000009-b', 'cc/000000000001-c'])
      await store.put(`anchors/${name}.cose`, some());
    expect(await keysOf(store, 'anchors/c/')).toEqual([
      'anchors/c/000000000009-b.cose',
      'anchors/c/000000000010-a.cose',
    ]);
    expect(await keysOf(store, 'anchors/c/00000000001')).toEqual(['anchors/c/000000000010-a.cose']);
    expect(await keysOf(store, 'anchors/nothing/')).toEqual([]);
    for await (const { size, lastModified } of store.list('anchors/c/')) {
      expect(size).toBe(300);
      expect(Math.abs(Date.parse(lastModified) - begun)).toBeLessThan(60_000);
    }
  });

  it('takes the keys of schema chains', async () => {
    const store = open();
    const key = 'anchors/schema:0197b0a0-0000-7000-8000-000000000001/000000000001-dd.cose';
    await store.put(key, some());
    expect(await keysOf(store, 'anchors/schema:')).toEqual([key]);
  });
};

describe('anchors in the filesystem', () => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-anchors-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const root = join(directory, 'new', 'folder');
  suite(() => new FilesystemAnchors(root));

  it('leaves read-only files and nothing else', () => {
    for (const folder of readdirSync(join(root, 'anchors')))
      for (const file of readdirSync(join(root, 'anchors', folder))) {
        expect(file).toMatch(/\.cose$/);
        expect(statSync(join(root, 'anchors', folder, file)).mode & 0o777).toBe(0o400);
      }
  });

  it('a draft that a crash left is no anchor', async () => {
    const store = new FilesystemAnchors(join(directory, 'crashed'));
    await store.put('anchors/a/000000000001-aa.cose', randomBytes(3));
    writeFileSync(join(directory, 'crashed/anchors/a/.1.draft'), 'half');
    expect(await keysOf(store, 'anchors/')).toEqual(['anchors/a/000000000001-aa.cose']);
  });

  it('a key leads nowhere else', async () => {
    const store = new FilesystemAnchors(root);
    for (const key of ['../outside', 'anchors/../../outside', '/etc/passwd', 'anchors//a', ''])
      await expect(Promise.resolve().then(() => store.get(key))).rejects.toThrow(TypeError);
  });

  it('a directory that cannot be written is unavailable', async () => {
    const file = join(directory, 'a-file');
    writeFileSync(file, '');
    chmodSync(file, 0o400);
    const store = new FilesystemAnchors(file);
    await expect(store.put('anchors/a/1.cose', randomBytes(3))).rejects.toMatchObject({
      name: 'AnchorError',
      reason: 'unavailable',
    });
  });
});

const server = await s3Server();
// A server that runs already may have seen these tests before.
const LOCKED = `locked-${Date.now()}`;
const PLAIN = `plain-${Date.now()}`;
afterAll(() => server?.stop());

describe.skipIf(!server)('anchors in S3', () => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const options: S3AnchorOptions = {
    region: 'us-east-1',
    endpoint: server?.endpoint ?? '',
    credentials,
    ca: null,
    bucket: LOCKED,
    lock: { mode: 'COMPLIANCE', days: 30 },
  };
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: options.endpoint!,
    forcePathStyle: true,
    credentials,
  });
  const store = new S3Anchors(options, () => new Date());

  beforeAll(async () => {
    await client.send(
      new CreateBucketCommand({ Bucket: LOCKED, ObjectLockEnabledForBucket: true }),
    );
    await client.send(new CreateBucketCommand({ Bucket: PLAIN }));
  });

  suite(() => store);

  it('locks an object, so that its version cannot be deleted', async () => {
    const key = 'anchors/locked/000000000001-aa.cose';
    await store.put(key, randomBytes(8));
    const head = await client.send(new HeadObjectCommand({ Bucket: LOCKED, Key: key }));
    expect(head.ObjectLockMode).toBe('COMPLIANCE');
    const days = (head.ObjectLockRetainUntilDate!.getTime() - Date.now()) / 86_400_000;
    expect(Math.abs(days - 30)).toBeLessThan(1);
    await expect(
      client.send(
        new DeleteObjectCommand({ Bucket: LOCKED, Key: key, VersionId: head.VersionId! }),
      ),
    ).rejects.toThrow();
  });

  it('shows what was written first, through a delete marker and through another version', async () => {
    const key = 'anchors/hidden/000000000001-aa.cose';
    const bytes = Uint8Array.from(randomBytes(8));
    await store.put(key, bytes);
    await client.send(new PutObjectCommand({ Bucket: LOCKED, Key: key, Body: 'other' }));
    await client.send(new DeleteObjectCommand({ Bucket: LOCKED, Key: key }));
    expect(await store.get(key)).toEqual(bytes);
    expect(await keysOf(store, 'anchors/hidden/')).toEqual([key, key]);
  });

  it('serves a bucket without versions and locks', async () => {
    const plain = new S3Anchors({ ...options, bucket: PLAIN, lock: null }, () => new Date());
    const bytes = Uint8Array.from(randomBytes(8));
    await plain.put('anchors/a/000000000001-aa.cose', bytes);
    expect(await plain.get('anchors/a/000000000001-aa.cose')).toEqual(bytes);
  });

  it('lists beyond one page', async () => {
    const paged = new S3Anchors({ ...options, bucket: PLAIN, lock: null }, () => new Date());
    const names = Array.from(
      { length: 1_050 },
      (_, n) => `anchors/p/${String(n).padStart(12, '0')}-a.cose`,
    );
    for (let from = 0; from < names.length; from += 50)
      await Promise.all(names.slice(from, from + 50).map((key) => paged.put(key, randomBytes(4))));
    expect(await keysOf(paged, 'anchors/p/')).toEqual(names);
  });

  it('a bucket that does not exist is unavailable', async () => {
    const missing = new S3Anchors({ ...options, bucket: 'missing' }, () => new Date());
    await expect(missing.get('anchors/a/1.cose')).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('trusts no server but one whose certificate an authority vouches for, EGRESS_CA among them', async () => {
    const tls = await serveTls((_incoming, outgoing) =>
      outgoing
        .writeHead(200, { 'content-type': 'application/xml' })
        .end('<ListVersionsResult><IsTruncated>false</IsTruncated></ListVersionsResult>'),
    );
    try {
      const at = (ca: string | null): S3Anchors =>
        new S3Anchors({ ...options, endpoint: tls.url, ca }, () => new Date());
      await expect(at(null).get('anchors/a/1.cose')).rejects.toMatchObject({
        reason: 'unavailable',
      });
      expect(await at(tlsFiles.ca.toString()).get('anchors/a/1.cose')).toBeNull();
    } finally {
      await tls.close();
    }
  });
});

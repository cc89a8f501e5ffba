import type { ObjectVersion, PutObjectCommandInput } from '@aws-sdk/client-s3';
import {
  AnchorError,
  MAX_ANCHOR_BYTES,
  type AnchoredObject,
  type AnchorStore,
} from '../../../domain/vault/anchor.port.ts';
import { loadS3, type S3, type S3Place } from './s3-client.ts';

export interface ObjectLock {
  readonly mode: 'COMPLIANCE' | 'GOVERNANCE';
  readonly days: number;
}

export interface S3AnchorOptions extends S3Place {
  readonly bucket: string;
  /** How long nobody can delete an object; null where the bucket has no Object Lock. */
  readonly lock: ObjectLock | null;
}

/** Objects in a bucket, each put only where there is none, and locked. The client is loaded with the first use. */
export class S3Anchors implements AnchorStore {
  readonly backend = 's3';
  private loaded: Promise<S3> | null = null;

  constructor(
    private readonly options: S3AnchorOptions,
    private readonly now: () => Date,
  ) {}

  put(key: string, bytes: Uint8Array): Promise<'written' | 'present'> {
    return this.attempt(async ({ client, sdk }) => {
      try {
        await client.send(new sdk.PutObjectCommand(this.putInput(key, bytes)));
        return 'written';
      } catch (error) {
        // 409: another writer is at the same key.
        if (![412, 409].includes(statusOf(error) ?? 0)) throw error;
      }
      const there = await this.first({ client, sdk }, key);
      if (there && Buffer.from(there).equals(bytes)) return 'present';
      throw new AnchorError('differs', `the object ${key} holds other bytes`);
    });
  }

  get(key: string): Promise<Uint8Array | null> {
    return this.attempt((s3) => this.first(s3, key));
  }

  async *list(prefix: string): AsyncGenerator<AnchoredObject> {
    for await (const { Key, Size, LastModified } of this.versions(prefix))
      yield {
        key: Key!,
        size: Size ?? 0,
        lastModified: (LastModified ?? new Date(0)).toISOString(),
      };
  }

  private putInput(key: string, bytes: Uint8Array): PutObjectCommandInput {
    const { bucket, lock } = this.options;
    return {
      Bucket: bucket,
      Key: key,
      Body: bytes,
      ContentType: 'application/cose',
      IfNoneMatch: '*',
      // S3 takes no lock without a checksum.
      ChecksumAlgorithm: 'SHA256',
      ...(lock
        ? {
            ObjectLockMode: lock.mode,
            ObjectLockRetainUntilDate: new Date(this.now().getTime() + lock.days * 86_400_000),
          }
        : {}),
    };
  }

  /** What somebody wrote over it, or a delete marker, stands after the version that was written first. */
  private async first({ client, sdk }: S3, key: string): Promise<Uint8Array | null> {
    let oldest: ObjectVersion | null = null;
    for await (const version of this.versions(key)) if (version.Key === key) oldest = version;
    if (!oldest) return null;
    const { Body } = await client.send(
      new sdk.GetObjectCommand({
        Bucket: this.options.bucket,
        Key: key,
        ...(oldest.VersionId && oldest.VersionId !== 'null' ? { VersionId: oldest.VersionId } : {}),
      }),
    );
    return Body ? await beginOf(Body as AsyncIterable<Uint8Array>) : null;
  }

  /** By key, and of one key the newest version first. */
  private async *versions(prefix: string): AsyncGenerator<ObjectVersion> {
    let place: Place | null = {};
    while (place) {
      const from: object = place;
      const page = await this.attempt(({ client, sdk }) =>
        client.send(
          new sdk.ListObjectVersionsCommand({
            Bucket: this.options.bucket,
            Prefix: prefix,
            ...from,
          }),
        ),
      );
      yield* page.Versions ?? [];
      const { KeyMarker, VersionIdMarker } = place;
      if (
        page.IsTruncated &&
        page.NextKeyMarker === KeyMarker &&
        page.NextVersionIdMarker === VersionIdMarker
      )
        throw new AnchorError('unavailable', `the bucket ${this.options.bucket} lists without end`);
      place =
        page.IsTruncated && page.NextKeyMarker !== undefined
          ? {
              KeyMarker: page.NextKeyMarker,
              ...(page.NextVersionIdMarker ? { VersionIdMarker: page.NextVersionIdMarker } : {}),
            }
          : null;
    }
  }

  private async attempt<T>(work: (s3: S3) => Promise<T>): Promise<T> {
    try {
      this.loaded ??= loadS3(this.options);
      return await work(await this.loaded);
    } catch (cause) {
      if (cause instanceof AnchorError) throw cause;
      const { name, message } = cause as Error;
      throw new AnchorError(
        'unavailable',
        `the bucket ${this.options.bucket}: ${name}, ${message}`,
        {
          cause,
        },
      );
    }
  }
}

interface Place {
  readonly KeyMarker?: string;
  readonly VersionIdMarker?: string;
}

/** Reads no further than an anchor can be long. */
const beginOf = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    if (length >= MAX_ANCHOR_BYTES) break;
  }
  return new Uint8Array(Buffer.concat(parts, length));
};

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

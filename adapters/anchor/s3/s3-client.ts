import { Agent } from 'node:https';
import { rootCertificates } from 'node:tls';
import type * as Sdk from '@aws-sdk/client-s3';

/** Where the bucket is, and who asks. */
export interface S3Place {
  readonly region: string;
  /** Of an S3-compatible server, whose buckets stand in the path; null: AWS. */
  readonly endpoint: string | null;
  /** Null: as the environment of the process says, such as by the role of an instance. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** PEM certificates that are trusted in addition to those of the runtime; null: none. */
  readonly ca: string | null;
}

export interface S3 {
  readonly client: Sdk.S3Client;
  readonly sdk: typeof Sdk;
}

/** The client is large, so it is loaded where it is used. */
export const loadS3 = async ({ region, endpoint, credentials, ca }: S3Place): Promise<S3> => {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials ? { credentials } : {}),
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 10_000,
      httpsAgent: new Agent({
        keepAlive: true,
        maxSockets: 8,
        // Explicit, because the environment can turn the check off for the whole process.
        rejectUnauthorized: true,
        minVersion: 'TLSv1.2',
        ...(ca === null ? {} : { ca: [...rootCertificates, ca] }),
      }),
    },
  });
  return { client, sdk };
};

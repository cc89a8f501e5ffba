import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AnsweringServer } from './answering-server.ts';
import { derWithDigest } from '../vectors/sign-digest.ts';

interface Key {
  readonly arn: string;
  readonly spec: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/**
 * A server that speaks the part of AWS KMS's JSON protocol which a signer uses, and really signs: TrentService.GetPublicKey
 * and TrentService.Sign with MessageType DIGEST. It shows that the official client and the adapter ask for what the
 * documentation says, and that the answers become signatures that verify; not that AWS behaves so.
 */
export class KmsServer extends AnsweringServer {
  readonly requests: {
    readonly target: string;
    readonly body: Record<string, unknown>;
    readonly headers: IncomingMessage['headers'];
  }[] = [];
  /** A status to answer requests for signatures with. */
  refuse: number | null = null;
  private readonly keys = new Map<string, Key>();

  addKey(alias: string, spec = 'ECC_NIST_P256'): this {
    const pair =
      spec === 'ECC_NIST_EDWARDS25519'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const arn = `arn:aws:kms:eu-central-1:111122223333:key/${randomUUID()}`;
    const key = { arn, spec, ...pair };
    this.keys.set(`alias/${alias}`, key).set(arn, key);
    return this;
  }

  /** Moves an alias to another key. */
  moveAlias(alias: string, to: string): void {
    this.keys.set(`alias/${alias}`, this.keys.get(`alias/${to}`)!);
  }

  env(alias: string): Record<string, string> {
    return {
      SIGNER: 'aws-kms',
      AWS_REGION: 'eu-central-1',
      AWS_KMS_ENDPOINT: this.url,
      AWS_KMS_KEY_ID: `alias/${alias}`,
    };
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(body));
    };
    const target = String(request.headers['x-amz-target']);
    const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>;
    this.requests.push({ target, body, headers: request.headers });
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential='))
      return send(400, { __type: 'MissingAuthenticationTokenException', message: 'unsigned' });
    const key = this.keys.get(String(body['KeyId']));
    if (!key) return send(400, { __type: 'NotFoundException', message: 'no such key' });
    if (target === 'TrentService.GetPublicKey')
      return send(200, {
        KeyId: key.arn,
        KeySpec: key.spec,
        CustomerMasterKeySpec: key.spec,
        KeyUsage: 'SIGN_VERIFY',
        PublicKey: key.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
        SigningAlgorithms: ['ECDSA_SHA_256'],
      });
    if (target !== 'TrentService.Sign')
      return send(400, { __type: 'UnknownOperationException', message: target });
    if (this.refuse !== null)
      return send(this.refuse, { __type: 'KMSInternalException', message: 'out of sorts' });
    const digest = Buffer.from(String(body['Message']), 'base64');
    if (body['MessageType'] !== 'DIGEST' || digest.length !== 32)
      return send(400, { __type: 'ValidationException', message: 'Digest is invalid length' });
    send(200, {
      KeyId: key.arn,
      Signature: derWithDigest(key.privateKey, digest).toString('base64'),
      SigningAlgorithm: 'ECDSA_SHA_256',
    });
  }
}

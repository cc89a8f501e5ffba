import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface AuthorityShape {
  /** The extensions of its certificate, as OpenSSL configures them. */
  readonly extensions?: string;
  /** `-not_before` and `-not_after` of its certificate: YYYYMMDDHHMMSSZ. */
  readonly validity?: readonly [from: string, to: string];
  /** Arguments of `openssl genpkey`. */
  readonly key?: readonly string[];
  /** `extendedKeyUsage` and the like of the CA between it and the root. */
  readonly between?: string;
  readonly name?: string;
}

const EC_KEY = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'];
const FOR_TIME_STAMPS =
  'extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,digitalSignature';

/** What a server does with a question, other than to answer it. */
export type Misbehaviour = (query: Buffer, response: ServerResponse, tsa: OpensslTsa) => void;

/** A time-stamp authority made of `openssl ts`, with a root, a CA below it and a certificate of its own, in a folder. */
export class OpensslTsa {
  readonly folder = mkdtempSync(join(tmpdir(), 'notary-tsa-'));
  /** PEM. */
  readonly root: string;
  private server: ReturnType<typeof createHttp> | null = null;
  misbehaves: Misbehaviour | null = null;
  /** How often it was asked. */
  asked = 0;

  constructor(shape: AuthorityShape = {}) {
    const { name = 'Test Time Stamps', key = EC_KEY } = shape;
    this.issue('root', `${name} Root`, EC_KEY, null, CA);
    this.issue('ca', `${name} CA`, EC_KEY, 'root', `${CA}\n${shape.between ?? ''}`);
    this.issue('tsa', name, key, 'ca', shape.extensions ?? FOR_TIME_STAMPS, shape.validity);
    this.write('chain.pem', this.read('ca.crt'));
    this.write('serial', '01\n');
    this.write('ts.cnf', CONFIGURATION(this.folder));
    this.root = this.read('root.crt');
  }

  path(file: string): string {
    return join(this.folder, file);
  }
  read(file: string): string {
    return readFileSync(this.path(file), 'latin1');
  }
  write(file: string, content: string | Uint8Array): string {
    writeFileSync(this.path(file), content);
    return this.path(file);
  }

  openssl(args: readonly string[]): Buffer {
    return execFileSync('openssl', args, { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** A key and a certificate, signed by another one or by itself. */
  issue(
    file: string,
    name: string,
    key: readonly string[],
    by: string | null,
    extensions: string,
    validity?: readonly [string, string],
  ): void {
    this.openssl(['genpkey', ...key, '-out', `${file}.key`]);
    this.openssl([
      'req',
      '-new',
      '-key',
      `${file}.key`,
      '-subj',
      `/O=Notary test/CN=${name}`,
      '-out',
      `${file}.csr`,
    ]);
    this.write(`${file}.ext`, extensions);
    if (validity && by) {
      this.write('index.txt', '');
      this.write('own-serial', '1000\n');
      this.write('ca.cnf', SIGNING(this.folder));
      this.openssl([
        'ca',
        '-batch',
        '-config',
        'ca.cnf',
        '-cert',
        `${by}.crt`,
        '-keyfile',
        `${by}.key`,
        '-in',
        `${file}.csr`,
        '-extfile',
        `${file}.ext`,
        '-startdate',
        validity[0],
        '-enddate',
        validity[1],
        '-notext',
        '-md',
        'sha256',
        '-out',
        `${file}.crt`,
      ]);
      return;
    }
    const issuer =
      by === null
        ? ['-signkey', `${file}.key`]
        : ['-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-CAcreateserial'];
    this.openssl([
      'x509',
      '-req',
      '-in',
      `${file}.csr`,
      '-days',
      '3650',
      '-sha256',
      ...issuer,
      '-extfile',
      `${file}.ext`,
      '-out',
      `${file}.crt`,
    ]);
  }

  /** TimeStampResp, DER. */
  reply(query: Uint8Array, section = 'tsa_config'): Buffer {
    this.write('query.tsq', query);
    this.openssl([
      'ts',
      '-reply',
      '-config',
      'ts.cnf',
      '-section',
      section,
      '-queryfile',
      'query.tsq',
      '-out',
      'reply.tsr',
    ]);
    return readFileSync(this.path('reply.tsr'));
  }

  /** TimeStampToken, DER, over a hash. */
  token(imprint: Uint8Array, section?: string): Buffer {
    this.openssl([
      'ts',
      '-query',
      '-digest',
      Buffer.from(imprint).toString('hex'),
      '-sha256',
      '-cert',
      '-out',
      'own.tsq',
    ]);
    this.reply(readFileSync(this.path('own.tsq')), section);
    this.openssl(['ts', '-reply', '-in', 'reply.tsr', '-token_out', '-out', 'token.der']);
    return readFileSync(this.path('token.der'));
  }

  /** TSTInfo, DER, out of a token. */
  infoIn(token: Uint8Array): Buffer {
    this.write('info.p7', token);
    this.openssl([
      ...['cms', '-verify', '-noverify', '-binary', '-inform', 'DER'],
      ...['-in', 'info.p7', '-out', 'info.der'],
    ]);
    return readFileSync(this.path('info.der'));
  }

  /** A token with this TSTInfo, signed whatever the certificate is for: `openssl ts` makes none with some of them. */
  signed(info: Uint8Array): Buffer {
    this.write('given.der', info);
    this.openssl([
      ...['cms', '-sign', '-binary', '-nodetach', '-nosmimecap', '-cades', '-md', 'sha256'],
      ...['-econtent_type', '1.2.840.113549.1.9.16.1.4', '-in', 'given.der'],
      ...['-signer', 'tsa.crt', '-inkey', 'tsa.key', '-certfile', 'chain.pem'],
      ...['-outform', 'DER', '-out', 'signed.der'],
    ]);
    return readFileSync(this.path('signed.der'));
  }

  /** Whether `openssl ts -verify` takes the token, for this hash and under this root. */
  verifies(token: Uint8Array, imprint: Uint8Array, root = this.root): boolean {
    this.write('verify.der', token);
    this.write('verify.pem', root);
    try {
      this.openssl([
        'ts',
        '-verify',
        '-in',
        'verify.der',
        '-token_in',
        '-digest',
        Buffer.from(imprint).toString('hex'),
        '-CAfile',
        'verify.pem',
        '-untrusted',
        'chain.pem',
      ]);
      return true;
    } catch {
      return false;
    }
  }

  /** Serves, and gives the address. */
  async serve(tls?: { readonly key: Buffer; readonly cert: Buffer }): Promise<string> {
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        this.asked++;
        const query = Buffer.concat(parts);
        if (this.misbehaves) return this.misbehaves(query, response, this);
        sendReply(response, this.reply(query));
      });
    };
    this.server = tls ? createHttps(tls, answer) : createHttp(answer);
    await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
    const { port } = this.server.address() as AddressInfo;
    return tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  }

  async end(): Promise<void> {
    const { server } = this;
    if (server) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const sendReply = (response: ServerResponse, reply: Uint8Array): void => {
  response.setHeader('content-type', 'application/timestamp-reply');
  response.end(reply);
};

const CA = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign';

const CONFIGURATION = (folder: string): string => `
oid_section = new_oids
[ new_oids ]
tsa_policy1 = 1.2.3.4.1
[ tsa ]
default_tsa = tsa_config
[ tsa_config ]
dir = ${folder}
serial = ${folder}/serial
crypto_device = builtin
signer_cert = ${folder}/tsa.crt
certs = ${folder}/chain.pem
signer_key = ${folder}/tsa.key
signer_digest = sha256
default_policy = tsa_policy1
digests = sha1, sha256, sha512
accuracy = secs:1
clock_precision_digits = 3
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = sha256
[ sha1_ess ]
dir = ${folder}
serial = ${folder}/serial
crypto_device = builtin
signer_cert = ${folder}/tsa.crt
certs = ${folder}/chain.pem
signer_key = ${folder}/tsa.key
signer_digest = sha256
default_policy = tsa_policy1
digests = sha256
ess_cert_id_alg = sha1
`;

const SIGNING = (folder: string): string => `
[ ca ]
default_ca = default
[ default ]
dir = ${folder}
database = ${folder}/index.txt
serial = ${folder}/own-serial
new_certs_dir = ${folder}
policy = any
default_md = sha256
[ any ]
organizationName = optional
commonName = supplied
`;

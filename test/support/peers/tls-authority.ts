import { webcrypto } from 'node:crypto';
import * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';

/** A certificate with its private key, in PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

interface Issued {
  /** DNS names; addresses as text. */
  readonly names?: readonly string[];
  readonly addresses?: readonly (readonly number[])[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

const CRYPTO = new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto as never });
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const DAY_MS = 86_400_000;

/** A certification authority of a test. */
export class TlsAuthority {
  private serial = 1;

  private constructor(
    readonly pem: string,
    private readonly name: string,
    private readonly privateKey: webcrypto.CryptoKey,
  ) {}

  static async create(name = 'CA of a test'): Promise<TlsAuthority> {
    const pair = await keyPair();
    const certificate = await certificateOf(name, name, 1, pair.publicKey, pair.privateKey, {}, [
      extension('2.5.29.19', new pkijs.BasicConstraints({ cA: true }).toSchema(), true),
    ]);
    return new TlsAuthority(pemOf('CERTIFICATE', certificate), name, pair.privateKey);
  }

  async issue(issued: Issued): Promise<TlsIdentity> {
    const pair = await keyPair();
    const altNames = [
      ...(issued.names ?? []).map((value) => new pkijs.GeneralName({ type: 2, value })),
      ...(issued.addresses ?? []).map(
        (bytes) =>
          new pkijs.GeneralName({
            type: 7,
            value: new asn1js.OctetString({ valueHex: Uint8Array.from(bytes).buffer }),
          }),
      ),
    ];
    const certificate = await certificateOf(
      this.name,
      'server of a test',
      ++this.serial,
      pair.publicKey,
      this.privateKey,
      issued,
      [extension('2.5.29.17', new pkijs.GeneralNames({ names: altNames }).toSchema())],
    );
    const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', pair.privateKey);
    return { cert: pemOf('CERTIFICATE', certificate), key: pemOf('PRIVATE KEY', pkcs8) };
  }
}

const keyPair = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

const certificateOf = async (
  issuer: string,
  subject: string,
  serial: number,
  publicKey: webcrypto.CryptoKey,
  signer: webcrypto.CryptoKey,
  { notBefore, notAfter }: Issued,
  extensions: pkijs.Extension[],
): Promise<ArrayBuffer> => {
  const certificate = new pkijs.Certificate({
    version: 2,
    serialNumber: new asn1js.Integer({ value: serial }),
  });
  certificate.issuer.typesAndValues.push(commonName(issuer));
  certificate.subject.typesAndValues.push(commonName(subject));
  certificate.notBefore.value = notBefore ?? new Date(Date.now() - DAY_MS);
  certificate.notAfter.value = notAfter ?? new Date(Date.now() + DAY_MS);
  certificate.extensions = extensions;
  await certificate.subjectPublicKeyInfo.importKey(publicKey, CRYPTO);
  await certificate.sign(signer, 'SHA-256', CRYPTO);
  return certificate.toSchema(true).toBER();
};

const commonName = (value: string): pkijs.AttributeTypeAndValue =>
  new pkijs.AttributeTypeAndValue({
    type: '2.5.4.3',
    value: new asn1js.Utf8String({ value }),
  });

const extension = (
  extnID: string,
  schema: { toBER(): ArrayBuffer },
  critical = false,
): pkijs.Extension => new pkijs.Extension({ extnID, critical, extnValue: schema.toBER() });

const pemOf = (label: string, der: ArrayBuffer): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

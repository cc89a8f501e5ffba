import * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';
import { bytesEqual } from '../../domain/kernel/digest.ts';
import type { TimestampReading } from '../../domain/vault/timestamp-checker.port.ts';
import type { Timestamp } from '../../domain/vault/timestamp.ts';
import { certificatePath } from './certificate-path.ts';
import { assertDer, TokenFault } from './der.ts';
import { certificateOf, type TokenCertificate } from './token-certificate.ts';
import { HASHES, hashOf, pki, signatureHash, UnsupportedToken } from './token-algorithms.ts';

export const MAX_TOKEN_BYTES = 65_536;
const MAX_CERTIFICATES = 16;

/** What else the authority signed, for whoever asked. */
export interface ReadToken {
  readonly stamp: Timestamp;
  /** The bytes of the integer; null where there is none. */
  readonly nonce: Uint8Array | null;
}

/** As a checker answers. */
export const readToken = async (
  token: Uint8Array,
  roots: readonly Uint8Array[] | null,
): Promise<TimestampReading> => {
  try {
    const { stamp } = await openToken(token, roots);
    return { stamp };
  } catch (error) {
    return {
      fault: error instanceof UnsupportedToken ? 'unsupported' : 'invalid',
      detail: whyNot(error),
    };
  }
};

/** The libraries throw errors of their own on what they cannot read. */
export const whyNot = (error: unknown): string =>
  error instanceof TokenFault || error instanceof UnsupportedToken
    ? error.message
    : 'it cannot be read';

/**
 * Opens a TimeStampToken (RFC 3161 section 2.4.2): a SignedData (RFC 5652) with one signer, whose certificate is named by
 * its hash in what is signed (RFC 5816), was valid at that time, and is for time stamps and nothing else.
 *
 * @param roots certificates, DER, one of which the signer's leads to; null: whose it is does not matter here.
 * @throws TokenFault, UnsupportedToken, or what the libraries throw on bytes that they cannot read.
 */
export const openToken = async (
  token: Uint8Array,
  roots: readonly Uint8Array[] | null,
): Promise<ReadToken> => {
  if (token.length > MAX_TOKEN_BYTES)
    throw new TokenFault(`it is longer than ${MAX_TOKEN_BYTES} bytes`);
  assertDer(token);
  const { signed, certificates } = signedDataIn(token);
  const content = contentOf(signed);
  const signer = signed.signerInfos[0]!;
  const attributes = signedAttributes(signer);
  const hash = hashOf(signer.digestAlgorithm);
  const [listed, ...others] = signed.digestAlgorithms;
  if (!listed || others.length > 0 || hashOf(listed) !== hash)
    throw new TokenFault('it lists another hash than the one of its signer');
  const digest = new Uint8Array(await pki.digest({ name: hash }, content));
  if (!bytesEqual(digest, attributes.messageDigest))
    throw new TokenFault('its signer signed other content');

  const certificate = certificates.find(({ raw }) => attributes.names(raw));
  if (!certificate) throw new TokenFault('the certificate of its signer is not in it');
  const { pki: parsed } = certificate;
  const { sid } = signer;
  if (
    !(sid instanceof pkijs.IssuerAndSerialNumber) ||
    !bytesEqual(bytesOf(parsed.issuer), bytesOf(sid.issuer)) ||
    !parsed.serialNumber.isEqual(sid.serialNumber)
  )
    throw new TokenFault('it names another signer than the certificate that it signs');
  assertForm(signer.signature, parsed);
  const isSigned = await pki.verifyWithPublicKey(
    attributes.signedBytes,
    signer.signature,
    parsed.subjectPublicKeyInfo,
    signer.signatureAlgorithm,
    signatureHash(signer.signatureAlgorithm, hash),
  );
  if (!isSigned) throw new TokenFault('its signature does not hold');

  const info = pkijs.TSTInfo.fromBER(content);
  if (info.version !== 1) throw new TokenFault('it is of another version than 1');
  const { genTime } = info;
  assertForTimestamps(parsed, genTime);
  if (roots) await certificatePath(certificate, certificates, roots, genTime);
  return {
    stamp: {
      imprint: {
        algorithm: info.messageImprint.hashAlgorithm.algorithmId,
        hash: viewOf(info.messageImprint.hashedMessage),
      },
      genTime: genTime.toISOString(),
      authority: certificate.x509.subject.split('\n').join(', '),
    },
    nonce: info.nonce ? info.nonce.valueBlock.valueHexView.slice() : null,
  };
};

const signedDataIn = (
  token: Uint8Array,
): {
  readonly signed: pkijs.SignedData;
  readonly certificates: readonly TokenCertificate[];
} => {
  const outer = pkijs.ContentInfo.fromBER(token);
  if (outer.contentType !== pkijs.ContentInfo.SIGNED_DATA)
    throw new TokenFault('it is no SignedData');
  const content = outer.content as asn1js.Sequence;
  const signed = new pkijs.SignedData({ schema: content });
  if (signed.version !== 3 || signed.signerInfos.length !== 1)
    throw new TokenFault('it is no SignedData with one signer');
  if (signed.encapContentInfo.eContentType !== TST_INFO)
    throw new TokenFault('it is no time stamp');
  const set = content.valueBlock.value.find(
    ({ idBlock }) => idBlock.tagClass === CONTEXT && idBlock.tagNumber === 0,
  ) as asn1js.Constructed | undefined;
  const raws = (set?.valueBlock.value ?? []).map(({ valueBeforeDecodeView }) =>
    valueBeforeDecodeView.slice(),
  );
  if (raws.length > MAX_CERTIFICATES)
    throw new TokenFault(`there are more than ${MAX_CERTIFICATES} certificates in it`);
  return { signed, certificates: raws.map(certificateOf) };
};

const CONTEXT = 3;
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';

const contentOf = ({ encapContentInfo: { eContent } }: pkijs.SignedData): Uint8Array => {
  if (!(eContent instanceof asn1js.OctetString)) throw new TokenFault('it has no content');
  return new Uint8Array(eContent.getValue());
};

/** The library reads an ECDSA signature in more spellings than one. */
const assertForm = (signature: asn1js.OctetString, certificate: pkijs.Certificate): void => {
  if (certificate.subjectPublicKeyInfo.algorithm.algorithmId !== EC_KEY) return;
  const bytes = viewOf(signature);
  assertDer(bytes);
  const parts = partsOf(asn1js.fromBER(bytes).result);
  const tags = [bytes[0], ...parts.map(({ valueBeforeDecodeView }) => valueBeforeDecodeView[0])];
  if (tags.join() !== [SEQUENCE, INTEGER, INTEGER].join())
    throw new TokenFault('its signature is not two numbers');
};

const EC_KEY = '1.2.840.10045.2.1';
const [SEQUENCE, INTEGER] = [0x30, 0x02];

interface SignedAttributes {
  readonly messageDigest: Uint8Array;
  /** What the signature is over (RFC 5652 section 5.4). */
  readonly signedBytes: ArrayBuffer;
  /** Whether this is the certificate of the signer. */
  names(certificate: Uint8Array): boolean;
}

const signedAttributes = ({ version, signedAttrs }: pkijs.SignerInfo): SignedAttributes => {
  if (version !== 1 || !signedAttrs) throw new TokenFault('its signer signed no attributes');
  const only = (type: string, what: string): asn1js.AsnType => {
    const [found, ...more] = signedAttrs.attributes.filter((one) => one.type === type);
    const [value, ...values] = (found?.values ?? []) as asn1js.AsnType[];
    if (!value || more.length > 0 || values.length > 0)
      throw new TokenFault(`its signer did not sign ${what}, once`);
    return value;
  };
  const type = only(CONTENT_TYPE, 'what kind of content it is');
  if (!(type instanceof asn1js.ObjectIdentifier) || type.getValue() !== TST_INFO)
    throw new TokenFault('its signer signed another kind of content');
  const digest = only(MESSAGE_DIGEST, 'the hash of the content');
  if (!(digest instanceof asn1js.OctetString)) throw new TokenFault('its hash is none');
  const named = only(SIGNING_CERTIFICATE_V2, 'its certificate, as ESSCertIDv2');
  return {
    messageDigest: viewOf(digest),
    signedBytes: signedAttrs.encodedValue,
    names: certificateNamed(named),
  };
};

/** SigningCertificateV2 (RFC 5035 section 3): the first one is that of the signer. */
const certificateNamed = (attribute: asn1js.AsnType): ((certificate: Uint8Array) => boolean) => {
  const [list] = partsOf(attribute);
  const parts = partsOf(partsOf(list)[0]);
  const [first] = parts;
  const hasAlgorithm = first instanceof asn1js.Sequence;
  const hash = hasAlgorithm
    ? hashOf(new pkijs.AlgorithmIdentifier({ schema: first }))
    : HASHES.defaultOfEss;
  const digest = hasAlgorithm ? parts[1] : first;
  if (!(digest instanceof asn1js.OctetString))
    throw new TokenFault('its signer names no certificate');
  const expected = viewOf(digest);
  return (certificate) => bytesEqual(HASHES.digest(hash, certificate), expected);
};

const partsOf = (value: unknown): readonly asn1js.AsnType[] =>
  value instanceof asn1js.Sequence ? value.valueBlock.value : [];

/** As they stand: names that only mean the same would leave several spellings of one token. */
const bytesOf = ({ valueBeforeDecode }: pkijs.RelativeDistinguishedNames): Uint8Array =>
  new Uint8Array(valueBeforeDecode);

const viewOf = (octets: asn1js.OctetString): Uint8Array => new Uint8Array(octets.getValue());

const EXTENDED_KEY_USAGE = '2.5.29.37';
const KEY_USAGE = '2.5.29.15';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
/** digitalSignature and nonRepudiation, in the first octet of the bits. */
const SIGNS = 0xc0;

/** RFC 3161 section 2.3. */
const assertForTimestamps = (
  { extensions = [], notBefore, notAfter }: pkijs.Certificate,
  at: Date,
): void => {
  const usage = extensions.filter(({ extnID }) => extnID === EXTENDED_KEY_USAGE);
  const purposes = usage.flatMap(({ parsedValue }) =>
    parsedValue instanceof pkijs.ExtKeyUsage ? parsedValue.keyPurposes : [],
  );
  if (usage.length !== 1 || !usage[0]?.critical || purposes.join() !== TIME_STAMPING)
    throw new TokenFault(
      'the certificate of its signer is not for time stamps alone (extended key usage timeStamping, critical)',
    );
  const bits: unknown = extensions.find(({ extnID }) => extnID === KEY_USAGE)?.parsedValue;
  if (bits instanceof asn1js.BitString && !((bits.valueBlock.valueHexView[0] ?? 0) & SIGNS))
    throw new TokenFault('the key of its signer is not for signatures');
  if (notBefore.value > at || notAfter.value < at)
    throw new TokenFault(
      `the certificate of its signer was not valid at the time that it says, ${at.toISOString()}`,
    );
};

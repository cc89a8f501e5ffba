import * as pkijs from 'pkijs';
import { bytesEqual } from '../../domain/kernel/digest.ts';
import { TokenFault } from './der.ts';
import { pki } from './token-algorithms.ts';
import { certificateOf, type TokenCertificate } from './token-certificate.ts';

const MAX_LENGTH = 8;
const MAX_PATHS = 32;

/**
 * Finds a way from the certificate to one of the roots that RFC 5280 section 6 takes, at that time. What was revoked is not
 * asked for: nobody is asked anything.
 *
 * The ways are looked for here, in bounded steps, because certificates that sign each other make a circle; the library
 * judges each of them: times, CA and key usage, critical extensions, policies, constraints of names.
 *
 * @throws TokenFault where there is none.
 */
export const certificatePath = async (
  leaf: TokenCertificate,
  others: readonly TokenCertificate[],
  roots: readonly Uint8Array[],
  at: Date,
): Promise<void> => {
  let reason = 'the certificate of its signer leads to none of the trusted roots';
  for (const path of pathsTo(leaf, others, roots.map(certificateOf))) {
    const fault = await faultIn(path, at);
    if (fault === null) return;
    reason = `the way from the certificate of its signer to a trusted root does not hold: ${fault}`;
  }
  throw new TokenFault(reason);
};

type Path = readonly TokenCertificate[];

function* pathsTo(
  leaf: TokenCertificate,
  others: readonly TokenCertificate[],
  roots: readonly TokenCertificate[],
): Generator<Path> {
  let found = 0;
  const open: Path[] = [[leaf]];
  for (let looked = 0; looked < MAX_PATHS * MAX_LENGTH; looked++) {
    const path = open.shift();
    if (!path || found >= MAX_PATHS) return;
    const last = path.at(-1)!;
    for (const root of roots)
      if (isIssuedBy(last, root) && !isIn(path, root)) {
        found++;
        yield [...path, root];
      }
    if (path.length + 1 >= MAX_LENGTH) continue;
    for (const next of others)
      if (!isIn(path, next) && !isIn(roots, next) && isIssuedBy(last, next))
        open.push([...path, next]);
  }
}

const isIn = (path: Path, { raw }: TokenCertificate): boolean =>
  path.some((one) => bytesEqual(one.raw, raw));

const isIssuedBy = (
  { x509, pki: { signatureAlgorithm, signature } }: TokenCertificate,
  issuer: TokenCertificate,
): boolean =>
  !BROKEN.has(signatureAlgorithm.algorithmId) &&
  signatureAlgorithm.isEqual(signature) &&
  x509.checkIssued(issuer.x509) &&
  x509.verify(issuer.x509.publicKey);

/** MD5 and SHA-1, with RSA and with ECDSA. */
const BROKEN: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.4',
  '1.2.840.113549.1.1.5',
  '1.2.840.10045.4.1',
]);

const faultIn = async (path: Path, at: Date): Promise<string | null> => {
  const certificates = path.map((one) => one.pki);
  const engine = new pkijs.CertificateChainValidationEngine({
    // It takes the last one for the one in question.
    certs: certificates.slice(0, -1).reverse(),
    trustedCerts: certificates.slice(-1),
    checkDate: at,
    findIssuer: (certificate) =>
      Promise.resolve(certificates.slice(certificates.indexOf(certificate) + 1).slice(0, 1)),
  });
  const { result, resultMessage } = await engine.verify({}, pki);
  if (!result) return resultMessage;
  return tooLong(certificates) ? 'it is longer than one of its certificates allows' : null;
};

/** RFC 5280 section 4.2.1.9, which the library leaves out. */
const tooLong = (path: readonly pkijs.Certificate[]): boolean =>
  path.some((certificate, index) => {
    const constraints: unknown = certificate.extensions?.find(
      ({ extnID }) => extnID === BASIC_CONSTRAINTS,
    )?.parsedValue;
    if (!(constraints instanceof pkijs.BasicConstraints)) return false;
    const most = constraints.pathLenConstraint as number | undefined;
    const below = path.slice(1, index).filter(({ issuer, subject }) => !issuer.isEqual(subject));
    return typeof most === 'number' && below.length > most;
  });

const BASIC_CONSTRAINTS = '2.5.29.19';

import type { CoSignatureClaim, Proofs } from '../../application/call/proofs.ts';
import { coSignatureRefused } from '../../application/identity/verify-co-signature.ts';
import { canonicalPath } from './canonical-path.ts';
import type { HttpRequest } from './http-request.ts';
import { ownSignature } from './own-signature.ts';
import { hasBody } from './request-body.ts';

/** Headers by which a call proves something beyond its credential. */
const CO_SIGNATURE_HEADERS = [
  'x-agent-signature',
  'x-agent-signature-content-hash',
  'signature-input',
  'signature',
] as const;
const SUBJECT_TOKEN = 'x-service-subject-token';
const DPOP = 'dpop';

/** A co-signature is over what was sent, also where nothing looks at it: then the body is read for it alone. */
export const signedBytes = async (request: HttpRequest, maxBytes: number): Promise<Uint8Array> =>
  isCoSigned(request) && hasBody(request) ? request.readBody(maxBytes) : EMPTY;

const EMPTY = new Uint8Array(0);

const isCoSigned = (request: HttpRequest): boolean =>
  CO_SIGNATURE_HEADERS.some((name) => request.header(name) !== undefined);

/**
 * The proofs in the headers of a request; null where there are none.
 *
 * @param baseUrl the public address of the service, without a slash at the end.
 */
export const proofsOf = (
  request: HttpRequest,
  bytes: Uint8Array,
  baseUrl: string,
): Proofs | null => {
  const coSigned = isCoSigned(request);
  const subjectToken = request.header(SUBJECT_TOKEN) ?? null;
  const proof = request.header(DPOP);
  if (!coSigned && subjectToken === null && proof === undefined) return null;
  const dpop =
    proof === undefined
      ? null
      : { proof, method: request.method, url: `${baseUrl}${request.path}` };
  return {
    bytes,
    coSignatures: () => (coSigned ? coSignaturesOf(request, baseUrl) : []),
    subjectToken,
    dpop,
  };
};

const coSignaturesOf = (request: HttpRequest, baseUrl: string): readonly CoSignatureClaim[] =>
  [requestClaim(request, baseUrl), bodyClaim(request)].filter((claim) => claim !== null);

/** RFC 9421, beside a Content-Digest (RFC 9530). */
const requestClaim = (request: HttpRequest, baseUrl: string): CoSignatureClaim | null => {
  const [input, signature] = [request.header('signature-input'), request.header('signature')];
  if (input === undefined && signature === undefined) return null;
  const own = ownSignature(input, signature);
  if (!own) return null;
  const { method, path, search } = request;
  const canonical = canonicalPath(path);
  if (path !== canonical)
    throw coSignatureRefused(
      `A signature over the request is over the path in its plain spelling, ids in lower case: ${canonical.slice(0, 500)}`,
    );
  return {
    coverage: 'request',
    method,
    targetUri: `${baseUrl}${path}${search === '' ? '' : `?${search}`}`,
    contentDigest: request.header('content-digest') ?? '',
    signatureInput: own.input,
    signature: own.signature,
  };
};

const bodyClaim = (request: HttpRequest): CoSignatureClaim | null => {
  const signature = request.header('x-agent-signature');
  const contentHash = request.header('x-agent-signature-content-hash');
  if (signature === undefined && contentHash === undefined) return null;
  if (signature === undefined || contentHash === undefined)
    throw coSignatureRefused('X-Agent-Signature and X-Agent-Signature-Content-Hash come together.');
  const { method, path } = request;
  return { coverage: 'body', method, path: canonicalPath(path), contentHash, signature };
};

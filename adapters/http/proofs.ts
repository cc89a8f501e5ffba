import { parseSignatureInput } from '../../domain/identity/co-signature.ts';
import type { CoSignatureClaim, Proofs } from '../../application/call/proofs.ts';
import { coSignatureRefused } from '../../application/identity/verify-co-signature.ts';
import type { Incoming } from './incoming.ts';
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
export const signedBytes = async (incoming: Incoming, maxBytes: number): Promise<Uint8Array> =>
  isCoSigned(incoming) && hasBody(incoming) ? incoming.readBody(maxBytes) : EMPTY;

const EMPTY = new Uint8Array(0);

const isCoSigned = (incoming: Incoming): boolean =>
  CO_SIGNATURE_HEADERS.some((name) => incoming.header(name) !== undefined);

/**
 * What the headers of a request prove; null where they hold nothing of the kind.
 *
 * @param baseUrl the public address of the service, without a slash at the end.
 */
export const proofsOf = (incoming: Incoming, bytes: Uint8Array, baseUrl: string): Proofs | null => {
  const coSigned = isCoSigned(incoming);
  const subjectToken = incoming.header(SUBJECT_TOKEN) ?? null;
  const proof = incoming.header(DPOP);
  if (!coSigned && subjectToken === null && proof === undefined) return null;
  const dpop =
    proof === undefined
      ? null
      : { proof, method: incoming.method, url: `${baseUrl}${incoming.path}` };
  return {
    bytes,
    coSignature: () => (coSigned ? coSignatureOf(incoming, baseUrl) : null),
    subjectToken,
    dpop,
  };
};

/** One over the request is taken before one over the body. */
const coSignatureOf = (incoming: Incoming, baseUrl: string): CoSignatureClaim | null =>
  requestClaim(incoming, baseUrl) ?? bodyClaim(incoming);

/** RFC 9421, beside a Content-Digest (RFC 9530). */
const requestClaim = (incoming: Incoming, baseUrl: string): CoSignatureClaim | null => {
  const [input, signature] = [incoming.header('signature-input'), incoming.header('signature')];
  if (input === undefined && signature === undefined) return null;
  const named = /^([a-z*][a-z0-9_.*-]*)=(.*)$/.exec(input ?? '');
  const value = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]+):$/.exec(signature ?? '');
  if (!named || !value || named[1] !== value[1] || !parseSignatureInput(named[2] as string))
    throw coSignatureRefused(
      'Signature-Input and Signature must hold one signature, over "@method", "@target-uri" and "content-digest".',
    );
  const { method, path, search } = incoming;
  return {
    coverage: 'request',
    method,
    targetUri: `${baseUrl}${path}${search === '' ? '' : `?${search}`}`,
    contentDigest: incoming.header('content-digest') ?? '',
    signatureInput: named[2] as string,
    signature: value[2] as string,
  };
};

const bodyClaim = (incoming: Incoming): CoSignatureClaim | null => {
  const signature = incoming.header('x-agent-signature');
  const contentHash = incoming.header('x-agent-signature-content-hash');
  if (signature === undefined && contentHash === undefined) return null;
  if (signature === undefined || contentHash === undefined)
    throw coSignatureRefused('X-Agent-Signature and X-Agent-Signature-Content-Hash come together.');
  const { method, path } = incoming;
  return { coverage: 'body', method, path, contentHash, signature };
};

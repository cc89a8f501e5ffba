import { decodeBase64Strict, decodeBase64UrlStrict } from '../kernel/base64.ts';
import { fromHex } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';

/**
 * A signature over a request body, by the key that the caller's certificate is bound to. `item` is there where the body
 * has several `items`: the index of the one that the entry is about, from 0.
 */
export interface BodyCoSignature {
  readonly coverage: 'body';
  readonly certId: Uuid;
  /** Ed25519, 32 bytes in base64url. */
  readonly publicKey: string;
  readonly method: string;
  readonly path: string;
  /** SHA-256 of the raw body, lowercase hex; the signature is over its 32 bytes. */
  readonly contentHash: string;
  /** Base64. */
  readonly signature: string;
  readonly item?: number;
}

/** A signature over a whole request as an HTTP message (RFC 9421): method, target and body. */
export interface RequestCoSignature {
  readonly coverage: 'request';
  readonly certId: Uuid;
  readonly publicKey: string;
  readonly method: string;
  readonly targetUri: string;
  /** The field as it was sent (RFC 9530). */
  readonly contentDigest: string;
  /** The value of the signature's member of Signature-Input, as it was sent. */
  readonly signatureInput: string;
  readonly signature: string;
  readonly item?: number;
}

/**
 * The agent's own signature over the request behind an entry, complete, so that anyone can check it
 * again.
 */
export type CoSignature = BodyCoSignature | RequestCoSignature;

export interface SignatureParameters {
  readonly components: readonly string[];
  readonly parameters: ReadonlyMap<string, string | number>;
}

/**
 * The `tag` of a co-signature of a request. A signature that was made for another purpose does not
 * have it.
 */
export const CO_SIGNATURE_TAG = 'service-cosign';

/**
 * The components that a co-signature of a request covers: all of them and no others, in any order.
 */
const COVERED = ['@method', '@target-uri', 'content-digest'] as const;

const COMPONENT = '"(?:@method|@target-uri|content-digest)"';
const PARAMETER = '[a-z][a-z0-9_-]*=(?:"[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]*"|\\d{1,15})';
const INPUT = new RegExp(`^\\((${COMPONENT}(?: ${COMPONENT}){2})\\)((?:;${PARAMETER})*)$`);

/**
 * Reads the value of a member of Signature-Input (RFC 9421 section 4.1). Only one form is accepted:
 * the three components without parameters of their own, then parameters without escapes, each once.
 * Null for any other form.
 */
export const parseSignatureInput = (value: string): SignatureParameters | null => {
  const match = INPUT.exec(value);
  if (!match) return null;
  const components = (match[1] as string).split(' ').map((quoted) => quoted.slice(1, -1));
  if (!COVERED.every((name) => components.includes(name))) return null;
  const parameters = new Map<string, string | number>();
  for (const [, name, text] of (match[2] as string).matchAll(
    /;([a-z][a-z0-9_-]*)=("[^"]*"|\d+)/g,
  ) as Iterable<[string, string, string]>) {
    if (parameters.has(name)) return null;
    parameters.set(name, text.startsWith('"') ? text.slice(1, -1) : Number(text));
  }
  return { components, parameters };
};

/**
 * Whether an `alg` parameter, where there is one, names the algorithm of the key (RFC 9421 section 3.2 step 6). Any
 * other verifier refuses the signature where it does not.
 */
export const algFitsKey = ({ parameters }: SignatureParameters): boolean =>
  [undefined, 'ed25519'].includes(parameters.get('alg') as string | undefined);

/** The bytes that the signature covers; null where the block is malformed. */
export const coSignedBytes = (block: CoSignature): Uint8Array | null => {
  if (block.coverage === 'body')
    return /^[0-9a-f]{64}$/.test(block.contentHash) ? fromHex(block.contentHash) : null;
  const input = parseSignatureInput(block.signatureInput);
  if (input?.parameters.get('tag') !== CO_SIGNATURE_TAG || !algFitsKey(input)) return null;
  // RFC 9421 section 2.5: one line for each component, then the parameters, joined with LF.
  const values: Readonly<Record<string, string>> = {
    '@method': block.method,
    '@target-uri': block.targetUri,
    'content-digest': block.contentDigest,
  };
  const lines = input.components.map((name) => `"${name}": ${values[name]}`);
  return new TextEncoder().encode(
    [...lines, `"@signature-params": ${block.signatureInput}`].join('\n'),
  );
};

/** The key and the signature of a block; null where either is malformed. */
export const coSignatureParts = (
  block: CoSignature,
): {
  readonly key: Uint8Array;
  readonly signature: Uint8Array;
  readonly bytes: Uint8Array;
} | null => {
  const key = decodeBase64UrlStrict(block.publicKey);
  const signature = decodeBase64Strict(block.signature);
  const bytes = coSignedBytes(block);
  return key && signature && bytes ? { key, signature, bytes } : null;
};

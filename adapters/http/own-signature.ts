import {
  isInnerList,
  parseDictionary,
  serializeInnerList,
  type Dictionary,
  type InnerList,
} from 'structured-headers';
import { coSignatureRefused } from '../../application/identity/verify-co-signature.ts';
import { CO_SIGNATURE_TAG, parseSignatureInput } from '../../domain/identity/co-signature.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { NotaryError } from '../../domain/kernel/errors.ts';

/** One member of Signature-Input and Signature. */
export interface OwnSignature {
  /** The value in Signature-Input, serialized as the signature covers it (RFC 9421 section 2.5). */
  readonly input: string;
  /** Base64. */
  readonly signature: string;
}

/**
 * The co-signature among the HTTP Message Signatures of a request. Other parties may sign the same request (RFC 9421
 * section 4.3): their signatures have another tag and are not looked at.
 *
 * @returns null if every signature is of another party.
 * @throws UNAUTHORIZED if a field is malformed, no signature has a tag, or several have that of a co-signature.
 */
export const ownSignature = (
  input: string | undefined,
  signature: string | undefined,
): OwnSignature | null => {
  const inputs = [...dictionaryOf('Signature-Input', input)];
  const [own, ...others] = inputs.filter(([, member]) => tagOf(member) === CO_SIGNATURE_TAG);
  // Of two members with one label, and of two tags of one member, a parser keeps the last one. What it dropped must not
  // be lost without a word.
  if (others.length > 0 || timesNamed(input) !== (own ? 1 : 0))
    throw coSignatureRefused(
      `Signature-Input must name the tag ${CO_SIGNATURE_TAG} once, and each label once.`,
    );
  if (!own) {
    if (inputs.length > 0 && inputs.every(([, member]) => typeof tagOf(member) === 'string'))
      return null;
    throw malformed();
  }
  const [label, member] = own;
  const [value] = dictionaryOf('Signature', signature).get(label) ?? [];
  const text = serializeInnerList(member as InnerList);
  if (!(value instanceof ArrayBuffer) || !parseSignatureInput(text)) throw malformed();
  return { input: text, signature: encodeBase64(new Uint8Array(value)) };
};

const dictionaryOf = (name: string, field: string | undefined): Dictionary => {
  try {
    return parseDictionary(field ?? '');
  } catch {
    throw coSignatureRefused(`${name} must be a dictionary of structured fields (RFC 9651).`);
  }
};

const timesNamed = (field = ''): number => field.split(CO_SIGNATURE_TAG).length - 1;

const tagOf = (member: Parameters<typeof isInnerList>[0]): unknown =>
  isInnerList(member) ? member[1].get('tag') : undefined;

const malformed = (): NotaryError =>
  coSignatureRefused(
    `Signature-Input and Signature must hold a signature over "@method", "@target-uri" and "content-digest" with the tag ${CO_SIGNATURE_TAG}.`,
  );

import { parseSignatureInput, type CoSignature } from '../../identity/co-signature.ts';
import { isObject, type JsonObject } from '../../kernel/canonical-json.ts';
import { FirstValues } from '../entry/first-values.ts';

/**
 * Which co-signatures a file has shown already: each is of one request, by one key, and used once on a chain. One
 * instance a file, for a request belongs to one place in all of it.
 */
export class CoSignatureLedger {
  private readonly byNonce = new FirstValues();
  private readonly keyOf = new FirstValues();
  private readonly createdBy = new FirstValues();

  /** @param used of the chain that the entry stands on. */
  faultsOf(block: CoSignature, entry: JsonObject, used: Set<string>): readonly string[] {
    const faults: string[] = [];
    if (this.keyOf.isAnother(block.certId, block.publicKey))
      faults.push('the certificate of the co-signature is bound to another key elsewhere');
    if (block.coverage === 'body') return faults;
    const nonce = parseSignatureInput(block.signatureInput)?.parameters.get('nonce');
    if (typeof nonce !== 'string' || nonce.length < 16 || nonce.length > 256)
      return [...faults, 'the co-signature has no nonce that makes it single'];
    const request = JSON.stringify([
      entry['requestId'] ?? null,
      block.certId,
      block.publicKey,
      block.signature,
    ]);
    if (this.byNonce.isAnother(nonce, request))
      faults.push('the nonce of the co-signature belongs to another request');
    const use = JSON.stringify([nonce, itemOf(block)]);
    if (used.has(use)) faults.push('the co-signature was used on this chain before');
    used.add(use);
    if (isCreation(entry) && this.createdBy.isAnother(use, String(entry['recordId'])))
      faults.push('the co-signed request created another record');
    return faults;
  }

  /** Takes in a CERT_ISSUED of the platform chain, which stands before all others in a dump. */
  issued({ certId, publicKeyJwk }: JsonObject): void {
    const key = isObject(publicKeyJwk) ? publicKeyJwk['x'] : undefined;
    if (typeof certId === 'string' && typeof key === 'string') this.keyOf.isAnother(certId, key);
  }
}

/** Told of each co-signature in a file, and of each certificate, in their order. */
export type CoSignatureUses = Pick<CoSignatureLedger, 'faultsOf' | 'issued'>;

const itemOf = (block: CoSignature): unknown => (block as { readonly item?: unknown }).item ?? null;

/** One item of a request creates one record; other acts write to several. */
const isCreation = ({ transition }: JsonObject): boolean =>
  isObject(transition) && transition['action'] === 'create';

import { parseSignatureInput, type CoSignature } from '../identity/co-signature.ts';
import type { JsonObject } from '../kernel/canonical-json.ts';

/** Which co-signatures a file has shown already: each is of one request, by one key, and used once on a chain. */
export class CoSignatureLedger {
  private readonly byNonce = new Map<string, string>();
  private readonly used = new Set<string>();
  private readonly keyOf = new Map<string, string>();

  faultsOf(block: CoSignature, entry: JsonObject): readonly string[] {
    const faults: string[] = [];
    if (isAnother(this.keyOf, block.certId, block.publicKey))
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
    if (isAnother(this.byNonce, nonce, request))
      faults.push('the nonce of the co-signature belongs to another request');
    const use = JSON.stringify([nonce, itemOf(block), entry['recordId'] ?? null]);
    if (this.used.has(use)) faults.push('the co-signature was used on this chain before');
    this.used.add(use);
    return faults;
  }
}

const itemOf = (block: CoSignature): unknown => (block as { readonly item?: unknown }).item ?? null;

/** Notes the first value of a name; whether it had another one already. */
const isAnother = (known: Map<string, string>, name: string, value: string): boolean => {
  const first = known.get(name);
  if (first === undefined) known.set(name, value);
  return first !== undefined && first !== value;
};

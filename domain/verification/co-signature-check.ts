import { coSignatureParts, type CoSignature } from '../identity/co-signature.ts';
import { isObject, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { KeyError } from '../vault/cose-key.ts';
import type { ChainRow, EntryScope } from './chain-entry.ts';
import type { Findings } from './report.ts';
import { VerifyingKeys, type SignatureChecks } from '../vault/signatures.ts';

/** Checks the signature that an agent put on its own request, if the entry seals one. */
export class CoSignatureCheck {
  private readonly keys = new VerifyingKeys();

  constructor(
    private readonly findings: Findings,
    private readonly signatures: SignatureChecks,
  ) {}

  entry(row: ChainRow, predicate: JsonObject, scope: EntryScope): void {
    const block = predicate['coSignature'];
    if (block === undefined) return;
    this.findings.looked('coSignatures');
    const fail = (detail: string): void =>
      this.findings.fail(
        'coSignatures',
        scope.area,
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        { chainKey: scope.chainKey, position: row.position },
        detail,
      );
    const parts = isCoSignature(block) ? coSignatureParts(block) : null;
    if (!parts || !isCoSignature(block))
      return fail('the co-signature is not of a form that can be checked');
    const actor = predicate['actor'];
    if (!isObject(actor) || actor['certId'] !== block.certId)
      fail('the co-signature belongs to another certificate than the one that acted');
    try {
      this.signatures.submit(
        this.keys.of({ algorithm: 'Ed25519', raw: parts.key }),
        parts.signature,
        parts.bytes,
        (result) => {
          if (result !== 'valid')
            fail(
              result === 'unsupported'
                ? 'this runtime cannot check the co-signature'
                : 'the co-signature is not one of its key over this request',
            );
        },
      );
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
      fail('the key of the co-signature is not one to be trusted');
    }
  }
}

const BODY = ['certId', 'publicKey', 'method', 'path', 'contentHash', 'signature'] as const;
const REQUEST = [
  'certId',
  'publicKey',
  'method',
  'targetUri',
  'contentDigest',
  'signatureInput',
  'signature',
] as const;

const isCoSignature = (block: JsonValue): block is JsonValue & CoSignature => {
  if (!isObject(block) || (block['coverage'] !== 'body' && block['coverage'] !== 'request'))
    return false;
  return (block['coverage'] === 'body' ? BODY : REQUEST).every(
    (member) => typeof block[member] === 'string',
  );
};

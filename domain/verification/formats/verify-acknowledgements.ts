import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import { parseStatement, UnreadableError } from '../../vault/parsed-statement.ts';
import { lossIn } from '../entry/loss-in.ts';
import { lossText, type AcknowledgedLoss } from '../report/acknowledged-losses.ts';
import { checkEntry, type HubClaim } from '../entry/chain-entry.ts';
import { isTimestamp } from '../../kernel/timestamp.ts';
import { keyForUse } from '../keys/key-ring.ts';
import { predicateFault } from '../entry/predicate-check.ts';
import type { AcknowledgementRow } from '../read/read-proofs.ts';
import type { ChainContext } from '../chain/verify-chain.ts';
import { tellSignature } from '../entry/signature-finding.ts';

/**
 * Checks the entries of the platform chain that an export brings along, each of which says that entries of this chain were
 * lost. They stand here without their chain: one that a retired key signed is the operator's word, and a dump settles it.
 *
 * @returns what they say, of those that are signed by a key that is active.
 */
export const verifyAcknowledgements = (
  rows: readonly AcknowledgementRow[],
  chainKey: string,
  hub: HubClaim | null,
  context: ChainContext,
): readonly AcknowledgedLoss[] => {
  const losses: AcknowledgedLoss[] = [];
  let last = 0;
  for (const row of rows) {
    if (row.position <= last)
      context.findings.fail(
        'positions',
        'keys',
        'CHAIN_POSITION_GAP',
        { chainKey: PLATFORM_CHAIN, position: row.position },
        'the acknowledgements are not in ascending order of their positions',
      );
    last = row.position;
    const loss = verifyOne(row, chainKey, hub, context);
    if (loss) losses.push(loss);
  }
  return losses;
};

const verifyOne = (
  row: AcknowledgementRow,
  chainKey: string,
  hub: HubClaim | null,
  { ring, signatures, findings }: ChainContext,
): AcknowledgedLoss | null => {
  const place = { chainKey: PLATFORM_CHAIN, position: row.position };
  const mismatch = (detail: string): null => {
    findings.fail('payloadBinding', 'keys', 'CHAIN_PAYLOAD_BINDING_MISMATCH', place, detail);
    return null;
  };
  try {
    const signed = parseStatement(row.coseSign1);
    const said = signed.statement?.predicate['at'];
    const at = isTimestamp(said) ? said : '';
    const predicate = checkEntry(
      { ...row, entryType: 'REWIND_ACKNOWLEDGED', createdAt: at },
      signed,
      { chainKey: PLATFORM_CHAIN, chainKind: 'admin', area: 'keys', hub },
      findings,
    );
    findings.looked('signatures');
    const use = { place, area: 'keys', at, missing: 'CHAIN_SIGNATURE_MISSING_KEY' } as const;
    const key = keyForUse(ring, signed.header, use, findings);
    if (!key || !predicate) return null;
    signatures.submit(key, signed.signature, signed.signed, (result) =>
      tellSignature(result, key, 'CHAIN_SIGNATURE_INVALID', (failureClass, detail) =>
        findings.fail('signatures', 'keys', failureClass, place, detail),
      ),
    );
    const loss = lossIn(predicate, row.position);
    if (!loss)
      return mismatch(
        predicateFault('record-state', predicate) ?? 'it acknowledges the loss of nothing',
      );
    if (loss.chainKey !== chainKey) return mismatch(`it is about the chain ${loss.chainKey}`);
    if (ring.get(key.keyId)?.retiredAt) {
      findings.cannotTell(
        'keyWindows',
        `cannot tell: the retired key ${key.keyId} signed it, so it is the operator's word that ${lossText(loss)}`,
      );
      return null;
    }
    findings.lost(loss);
    return loss;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    findings.fail('document', 'keys', 'CHAIN_COSE_DECODE_FAILED', place, error.message);
    return null;
  }
};

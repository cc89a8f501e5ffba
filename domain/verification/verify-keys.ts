import type { JsonObject } from '../kernel/canonical-json.ts';
import { isUuid } from '../kernel/ids.ts';
import { PLATFORM_CHAIN } from '../vault/chain-key.ts';
import type { VerifyingKeys } from '../vault/signatures.ts';
import { activatedKey } from './activated-key.ts';
import { checkEntry, isTimestamp, type HubClaim } from './chain-entry.ts';
import type { FailureClass } from './failure.ts';
import { placeOf, type KeyStatementRow } from './key-material.ts';
import type { KeyRing, RingKey } from './key-ring.ts';
import { KeyStatementSignatures } from './key-statement-signatures.ts';
import type { CheckName, Findings } from './report.ts';
import { parseStatement, UnreadableError, type ParsedStatement } from './parsed-statement.ts';
import type { Trust } from './trust.ts';

export interface KeyOutcome {
  readonly ring: KeyRing;
  /** Null where position 1 of the platform chain is not there or cannot be read. */
  readonly hub: HubClaim | null;
}

export interface KeyContext {
  readonly trust: Trust;
  /** Trust the first key if none was given, so that the checks run. The caller judges what they are worth. */
  readonly embedded: boolean;
  readonly keys: VerifyingKeys;
  readonly findings: Findings;
}

/**
 * Follows the succession of keys through the key statements, in the order of the platform chain.
 *
 * - Position 1 is a KEY_ACTIVATED signed by the key that it names; it says who the hub is.
 * - A later KEY_ACTIVATED is signed by a key active then. It carries `possession`: base64 of the new key's own
 *   signature over the UTF-8 text `service.key-possession.v1\n<keyId>\n<hex SHA-256 of the COSE_Key bytes>`.
 * - A KEY_RETIRED is signed by another key active then and names the old one in `keyId`.
 *
 * A key statement left out of the file together with its key row does not show here: the rows are copies of single
 * entries, and only a dump of the whole platform chain proves that there are no more.
 */
export const verifyKeyStatements = async (
  rows: readonly KeyStatementRow[],
  context: KeyContext,
): Promise<KeyOutcome> => {
  const succession = new Succession(context);
  for (const row of rows) await succession.follow(row);
  return { ring: succession.ring, hub: succession.hub };
};

class Succession {
  readonly ring = new Map<string, RingKey>();
  hub: HubClaim | null = null;
  private lastPosition = 0;
  private lastAt = '';
  private readonly signatures: KeyStatementSignatures;
  private readonly context: KeyContext;

  constructor(context: KeyContext) {
    this.context = context;
    this.signatures = new KeyStatementSignatures(context.findings);
  }

  async follow(row: KeyStatementRow): Promise<void> {
    const { findings } = this.context;
    findings.looked('positions');
    if (row.chainPosition <= this.lastPosition)
      this.fail(
        'positions',
        'CHAIN_POSITION_GAP',
        row,
        'the key statements are not in ascending order of the platform chain',
      );
    this.lastPosition = row.chainPosition;
    const signed = this.read(row);
    if (!signed) return;
    const entryType = row.statement === 'activated' ? 'KEY_ACTIVATED' : 'KEY_RETIRED';
    if (row.chainPosition === 1) {
      this.hub = hubOf(signed);
      findings.looked('genesis');
      if (!this.hub || signed.header.chain?.previousHash.some((byte) => byte !== 0))
        this.fail(
          'genesis',
          'CHAIN_GENESIS_INVALID',
          row,
          'position 1 of the platform chain does not say which hub it begins',
        );
    }
    const predicate = checkEntry(
      {
        position: row.chainPosition,
        entryType,
        createdAt: row.createdAt,
        coseSign1: row.coseSign1,
      },
      signed,
      { chainKey: PLATFORM_CHAIN, chainKind: 'admin', area: 'keys', hub: this.hub },
      findings,
    );
    if (!predicate) return;
    if (predicate['keyId'] !== row.keyId)
      this.fail(
        'payloadBinding',
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        row,
        `the statement is listed for the key ${row.keyId} and names another`,
      );
    const at = predicate['at'];
    if (!isTimestamp(at))
      return this.fail(
        'payloadBinding',
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        row,
        'the sealed time is no ISO 8601 time with milliseconds',
      );
    if (at < this.lastAt)
      this.fail(
        'payloadBinding',
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        row,
        'sealed before the key statement before it',
      );
    this.lastAt = at;
    if (row.statement === 'activated') await this.activate(row, signed, predicate, at);
    else await this.retire(row, signed, predicate, at);
  }

  private read(row: KeyStatementRow): ParsedStatement | null {
    try {
      return parseStatement(row.coseSign1);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      this.fail('headerBinding', 'CHAIN_COSE_DECODE_FAILED', row, error.message);
      return null;
    }
  }

  private async activate(
    row: KeyStatementRow,
    signed: ParsedStatement,
    predicate: JsonObject,
    at: string,
  ): Promise<void> {
    const claim = activatedKey(predicate, this.context.keys, (failureClass, detail) =>
      this.fail('keySuccession', failureClass, row, detail),
    );
    if (!claim) return;
    const { coseKeyBytes, alg, verifying } = claim;
    const keyId = verifying?.keyId ?? row.keyId;
    if (keyId !== row.keyId)
      return this.fail(
        'keySuccession',
        'CHAIN_SIGNING_KEY_DRIFT',
        row,
        `the key that is activated has the id ${keyId}`,
      );
    if (this.ring.has(keyId))
      return this.fail(
        'keySuccession',
        'CHAIN_KEY_POLICY_VIOLATION',
        row,
        `the key ${keyId} is activated twice`,
      );
    const trusted = verifying !== null && this.context.trust.trusts(verifying.key);
    const first = row.chainPosition === 1;
    const own: RingKey = {
      keyId,
      verifying,
      alg,
      activatedAt: at,
      retiredAt: null,
      reached: trusted || (first && this.context.embedded),
      vouchedFor: false,
    };
    if (first) {
      if (signed.header.kid !== keyId)
        return this.fail(
          'keySuccession',
          'CHAIN_SIGNATURE_MISSING_KEY',
          row,
          'the first key statement is not signed by the key that it activates',
        );
      if (
        !(await this.signatures.isSigned(
          row,
          signed,
          new Map([[keyId, { ...own, reached: true }]]),
          at,
        ))
      )
        return;
    } else {
      if (!(await this.isSignedByActive(row, signed, at))) return;
      if (
        verifying &&
        !(await this.signatures.hasPossession(row, predicate, verifying, coseKeyBytes))
      )
        return;
      own.reached ||= this.ring.get(signed.header.kid)?.reached ?? false;
    }
    this.ring.set(keyId, own);
  }

  private async retire(
    row: KeyStatementRow,
    signed: ParsedStatement,
    predicate: JsonObject,
    at: string,
  ): Promise<void> {
    const key = this.ring.get(row.keyId);
    if (!key || key.retiredAt !== null)
      return this.fail(
        'keySuccession',
        'CHAIN_KEY_POLICY_VIOLATION',
        row,
        `the key ${row.keyId} is retired without being active`,
      );
    if (signed.header.kid === row.keyId)
      return this.fail(
        'keySuccession',
        'CHAIN_KEY_POLICY_VIOLATION',
        row,
        'a key is retired by its successor, not by itself',
      );
    if (predicate['reason'] !== 'scheduled' && predicate['reason'] !== 'compromised')
      this.fail(
        'payloadBinding',
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        row,
        'a retirement is scheduled or compromised',
      );
    if (!(await this.isSignedByActive(row, signed, at))) return;
    key.retiredAt = at;
    key.vouchedFor = this.ring.get(signed.header.kid)?.reached ?? false;
  }

  private async isSignedByActive(
    row: KeyStatementRow,
    signed: ParsedStatement,
    at: string,
  ): Promise<boolean> {
    // By place, not by time: two statements may carry the same millisecond.
    const signer = this.ring.get(signed.header.kid);
    if (signer && signer.retiredAt !== null) {
      this.fail(
        'keySuccession',
        'CHAIN_KEY_POLICY_VIOLATION',
        row,
        `signed by the key ${signed.header.kid}, which is retired at this place of the chain`,
      );
      return false;
    }
    return this.signatures.isSigned(row, signed, this.ring, at);
  }

  private fail(
    check: CheckName,
    failureClass: FailureClass,
    row: KeyStatementRow,
    detail: string,
  ): void {
    this.context.findings.fail(check, 'keys', failureClass, placeOf(row), detail);
  }
}

const RECORD_STATE = '/predicates/record-state/v1';

const hubOf = ({ statement }: ParsedStatement): HubClaim | null => {
  const hubId = statement?.predicate['hubId'];
  if (
    !statement ||
    typeof hubId !== 'string' ||
    !isUuid(hubId) ||
    !statement.predicateType.endsWith(RECORD_STATE)
  )
    return null;
  return { hubId, predicateBase: statement.predicateType.slice(0, -RECORD_STATE.length) };
};

import { hashJson, toHex } from '../kernel/digest.ts';
import { orgReadsKey } from '../transparency/org-read.ts';
import { growingOrgReads, orgReadLeaf, orgReadsRoot } from '../transparency/org-reads-tree.ts';
import { issuerOf } from '../vault/chain.ts';
import { typOf } from '../vault/cose-sign1.ts';
import {
  parseStatement,
  UnreadableError,
  type ParsedStatement,
} from '../vault/parsed-statement.ts';
import { predicateTypeOf } from '../vault/statement.ts';
import { isTimestamp, wholeSeconds } from './chain-entry.ts';
import type { FailureClass } from './failure.ts';
import type { OrgReadsContext } from './org-reads-context.ts';
import { keyForOrgReads, laterCover } from './org-reads-keys.ts';
import type { OrgReadRow, OrgReadsCheckpointRow } from './org-reads-rows.ts';
import { predicateFault } from './predicate-check.ts';
import { readOrgReadsCheckpoints, type ReadCheckpoint } from './verify-org-reads-checkpoint.ts';

/**
 * Verifies the log of reads of one org: leaf by leaf, in order of index, so that it holds no more of it than its
 * checkpoints. Call `leaf` for each row and `end` after the last one; `context.signatures` may be at work after that.
 */
export class OrgReadsCheck {
  private readonly chainKey: string;
  private readonly checkpoints: readonly ReadCheckpoint[];
  private readonly cover: ReadonlyMap<string, number>;
  private readonly tree = growingOrgReads(0, []);
  private next = 0;
  private newest: string = '0'.repeat(64);
  private at = '';

  constructor(
    private readonly orgId: string,
    checkpoints: readonly OrgReadsCheckpointRow[],
    private readonly context: OrgReadsContext,
  ) {
    this.chainKey = orgReadsKey(orgId);
    const { read, cover } = readOrgReadsCheckpoints(orgId, checkpoints, context, laterCover);
    this.checkpoints = read;
    this.cover = cover;
  }

  leaf(row: OrgReadRow): void {
    const { leafIndex } = row;
    this.context.findings.looked('orgReads');
    if (leafIndex !== this.next)
      this.fail(
        leafIndex,
        'TENANT_READ_POSITION_GAP',
        `the leaf ${leafIndex} stands where the leaf ${this.next} belongs`,
      );
    this.next = leafIndex + 1;
    const leafHash = orgReadLeaf(row.coseSign1);
    const signed = this.parsed(row);
    if (signed) this.check(row, signed, toHex(leafHash));
    this.newest = toHex(leafHash);
    this.tree.append(leafHash);
    this.compareAt(this.tree.size);
  }

  end(): void {
    for (const { claim } of this.checkpoints)
      if (claim && claim.treeSize > this.tree.size)
        this.fail(
          claim.treeSize,
          'TENANT_CHECKPOINT_SIZE_MISMATCH',
          `a checkpoint saw ${claim.treeSize} reads, and there are ${this.tree.size}`,
        );
  }

  private check(row: OrgReadRow, signed: ParsedStatement, leafHash: string): void {
    const { findings, ring, signatures } = this.context;
    const { leafIndex } = row;
    const mismatch = (detail: string): void =>
      this.fail(leafIndex, 'TENANT_READ_PAYLOAD_BINDING_MISMATCH', detail);
    for (const fault of this.faults(row, signed, leafHash)) mismatch(fault);
    const predicate = signed.statement?.predicate;
    if (predicate && predicate['previousHash'] !== this.newest)
      this.fail(
        leafIndex,
        'TENANT_READ_LINK_BROKEN',
        'it names another leaf than the one before it',
      );
    if (row.signingKeyId !== signed.header.kid)
      this.fail(
        leafIndex,
        'CHAIN_SIGNING_KEY_DRIFT',
        `it is shown as signed by the key ${row.signingKeyId}, its header names ${signed.header.kid}`,
      );
    const at = predicate?.['at'];
    if (!isTimestamp(at)) return;
    if (at < this.at) mismatch(`it is of ${at}, and the one before it of ${this.at}`);
    this.at = at;
    const place = { chainKey: this.chainKey, position: leafIndex };
    const invalid = 'TENANT_READ_SIGNATURE_INVALID';
    const covered = leafIndex < (this.cover.get(signed.header.kid) ?? 0);
    const key = keyForOrgReads(ring, signed.header, { place, at, invalid, covered }, findings);
    if (!key) return;
    signatures.submit(key, signed.signature, signed.signed, (result) => {
      if (result === 'invalid')
        this.fail(leafIndex, invalid, `the signature is not one of the key ${key.keyId}`);
      if (result === 'unsupported')
        this.fail(
          leafIndex,
          'CHAIN_UNSUPPORTED_ALGORITHM',
          `this runtime cannot check ${key.key.algorithm}`,
        );
    });
  }

  private faults(row: OrgReadRow, signed: ParsedStatement, leafHash: string): string[] {
    const { header, statement } = signed;
    const { hub } = this.context;
    if (!statement) return ['the payload is not an in-toto Statement with one subject'];
    const { predicate } = statement;
    const faults: string[] = [];
    const expect = (holds: boolean, fault: string): void => {
      if (!holds) faults.push(fault);
    };
    const departure = predicateFault('tenant-read', predicate);
    if (departure) faults.push(departure);
    expect(header.typ === typOf('org-read'), `the structure is a "${header.typ}", not a read`);
    expect(!header.chain, 'a read claims no place in a chain');
    expect(!signed.hasUnprotected, 'the unprotected header is not empty');
    expect(
      header.sub === this.chainKey && row.orgId === this.orgId && predicate['orgId'] === this.orgId,
      'it is a read of another org',
    );
    expect(predicate['leafIndex'] === row.leafIndex, 'it was sealed as another leaf');
    expect(
      statement.subjectName === `org/${this.orgId}` &&
        statement.subjectDigest === hashJson(predicate),
      'the subject is not the org and the hash of the predicate',
    );
    expect(
      !hub ||
        (header.iss === issuerOf(hub.hubId) &&
          statement.predicateType === predicateTypeOf(hub.predicateBase, 'tenant-read')),
      'it is no read at this hub',
    );
    expect(header.iat === wholeSeconds(predicate['at']), 'the issue time is not that of the read');
    expect(
      row.createdAt === predicate['at'],
      'the time that is shown is not the one that was sealed',
    );
    expect(row.leafHash === leafHash, 'the hash that is shown is not that of the bytes');
    return faults;
  }

  /** Checkpoints of this size. Where two of them disagree, that is said, and nothing is compared. */
  private compareAt(size: number): void {
    for (const { claim, isFork } of this.checkpoints) {
      if (claim?.treeSize !== size || isFork) continue;
      if (
        claim.root !== toHex(orgReadsRoot(size, this.tree.peakHashes)) ||
        claim.headHash !== this.newest
      )
        this.fail(
          size,
          'TENANT_CHECKPOINT_ROOT_MISMATCH',
          `the first ${size} reads are not those that the checkpoint saw`,
        );
      else if (claim.at < this.at)
        this.fail(
          size,
          'TENANT_CHECKPOINT_ROOT_MISMATCH',
          'the checkpoint is older than the newest read that it covers',
        );
    }
  }

  private parsed({ coseSign1, leafIndex }: OrgReadRow): ParsedStatement | null {
    try {
      return parseStatement(coseSign1);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      this.fail(leafIndex, 'TENANT_READ_PAYLOAD_BINDING_MISMATCH', error.message);
      return null;
    }
  }

  private fail(position: number, failureClass: FailureClass, detail: string): void {
    const place = { chainKey: this.chainKey, position };
    this.context.findings.fail('orgReads', 'chain', failureClass, place, detail);
  }
}

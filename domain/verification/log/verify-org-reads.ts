import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { hashJson, toHex } from '../../kernel/digest.ts';
import { orgReadsKey } from '../../transparency/org-read.ts';
import { growingOrgReads, orgReadLeaf, orgReadsRoot } from '../../transparency/org-reads-tree.ts';
import type { CoveredReads } from '../../vault/covered-reads.ts';
import { issuerOf } from '../../vault/chain.ts';
import { typOf } from '../../vault/cose-sign1.ts';
import {
  parseStatement,
  UnreadableError,
  type ParsedStatement,
} from '../../vault/parsed-statement.ts';
import { predicateTypeOf } from '../../vault/statement.ts';
import { credentialFault } from '../entry/actor-credentials.ts';
import { wholeSeconds } from '../entry/chain-entry.ts';
import { isTimestamp } from '../../kernel/timestamp.ts';
import type { FailureClass } from '../report/failure.ts';
import type { OrgReadsContext } from './org-reads-context.ts';
import { keyForOrgReads } from './org-reads-keys.ts';
import type { OrgReadRow, OrgReadsCheckpointRow } from './org-reads-rows.ts';
import { predicateFault } from '../entry/predicate-check.ts';
import { checkOrgReadsCheckpoint, type OrgReadsClaim } from './verify-org-reads-checkpoint.ts';
import { tellSignature } from '../entry/signature-finding.ts';

/**
 * Verifies the log of reads of one org, leaf by leaf: it holds no more of it than the edge of its tree. Call `leaf` for
 * each row in order of index, `checkpoints` once the tree has their size, or has ended, and `end` after the last one;
 * `context.signatures` may be at work after that.
 */
export class OrgReadsCheck {
  private readonly chainKey: string;
  private readonly sealed: CoveredReads | undefined;
  private readonly tree = growingOrgReads(0, []);
  private next = 0;
  private newest: string = '0'.repeat(64);
  private at = '';
  /** After a leaf that is missing no root can be computed, and one failure is enough. */
  private isWhole = true;
  /** A checkpoint saw more leaves than there are, which is told. */
  private isCut = false;
  private covered = 0;

  /** @param cover how many leaves a checkpoint by a key that is not retired covers. */
  constructor(
    private readonly orgId: string,
    private readonly cover: number,
    private readonly context: OrgReadsContext,
  ) {
    this.chainKey = orgReadsKey(orgId);
    this.sealed = context.sealed.get(orgId);
  }

  /** Leaves so far. */
  get size(): number {
    return this.tree.size;
  }

  leaf(row: OrgReadRow): void {
    const { leafIndex } = row;
    this.context.findings.looked('orgReads');
    const follows = leafIndex === this.next;
    if (!follows) {
      this.fail(
        leafIndex,
        'TENANT_READ_POSITION_GAP',
        `the leaf ${leafIndex} stands where the leaf ${this.next} belongs`,
      );
      this.isWhole = false;
    }
    this.next = leafIndex + 1;
    const leafHash = orgReadLeaf(row.coseSign1);
    const signed = this.parsed(row);
    if (signed) this.check(row, signed, toHex(leafHash), follows);
    this.newest = toHex(leafHash);
    this.tree.append(leafHash);
    if (this.size === this.sealed?.treeSize) this.compareSealed(this.sealed);
  }

  /** Those that are shown with the same size. */
  checkpoints(rows: readonly OrgReadsCheckpointRow[]): void {
    const claims = rows.flatMap(
      (row) => checkOrgReadsCheckpoint(this.orgId, row, this.cover, this.context) ?? [],
    );
    const isFork = claims.some(
      ({ treeSize, root }) => treeSize === claims[0]?.treeSize && root !== claims[0].root,
    );
    for (const claim of claims) {
      this.covered = Math.max(this.covered, claim.treeSize);
      if (!isFork) this.compare(claim);
    }
    if (isFork)
      this.fail(
        claims[0]!.treeSize,
        'TENANT_CHECKPOINT_FORK',
        `two checkpoints of ${claims[0]!.treeSize} reads have different roots`,
      );
  }

  /** @returns how many leaves stand beyond the newest checkpoint. */
  end(): number {
    const { sealed, size } = this;
    if (sealed && this.isWhole && !this.isCut && size < sealed.treeSize)
      this.fail(
        sealed.treeSize,
        'TENANT_CHECKPOINT_SIZE_MISMATCH',
        `the platform chain covers ${sealed.treeSize} reads, and there are ${size}`,
      );
    return Math.max(0, this.tree.size - this.covered);
  }

  private compareSealed({ treeSize, treeRoot }: CoveredReads): void {
    if (this.isWhole && toHex(orgReadsRoot(this.size, this.tree.peakHashes)) !== treeRoot)
      this.fail(
        treeSize,
        'TENANT_CHECKPOINT_ROOT_MISMATCH',
        `the first ${treeSize} reads are not those that the platform chain covers`,
      );
  }

  private check(
    row: OrgReadRow,
    signed: ParsedStatement,
    leafHash: string,
    follows: boolean,
  ): void {
    const { findings, ring, signatures } = this.context;
    const { leafIndex } = row;
    const mismatch = (detail: string): void =>
      this.fail(leafIndex, 'TENANT_READ_PAYLOAD_BINDING_MISMATCH', detail);
    for (const fault of this.faults(row, signed, leafHash)) mismatch(fault);
    const predicate = signed.statement?.predicate;
    if (follows && predicate && predicate['previousHash'] !== this.newest)
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
    if (follows && at < this.at) mismatch(`it is of ${at}, and the one before it of ${this.at}`);
    this.at = at;
    const place = { chainKey: this.chainKey, position: leafIndex };
    const invalid = 'TENANT_READ_SIGNATURE_INVALID';
    const covered = leafIndex < this.cover;
    const key = keyForOrgReads(ring, signed.header, { place, at, invalid, covered }, findings);
    if (!key) return;
    signatures.submit(key, signed.signature, signed.signed, (result) =>
      tellSignature(result, key, invalid, (failureClass, detail) =>
        this.fail(leafIndex, failureClass, detail),
      ),
    );
  }

  /** What is wrong with who read what, if the platform chain covers the leaf or was sealed after it. */
  private registryFaults(leafIndex: number, predicate: JsonObject): readonly string[] {
    const { registry } = this.context;
    const { actor } = predicate;
    const at = wholeSeconds(predicate['at']);
    if (!registry || at === null || !isObject(actor)) return [];
    if (leafIndex >= (this.sealed?.treeSize ?? 0) && !registry.isWholeAt(at)) return [];
    return [registry.actorFault(actor, null), registry.orgFault(this.orgId)].filter(
      (fault) => fault !== null,
    );
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
    const { actor } = predicate;
    if (!departure && isObject(actor) && !READERS.has(actor['kind']!))
      faults.push(
        `${JSON.stringify(actor['kind'])} does not enter reads: an admin, an operator or the service does`,
      );
    const credential = !departure && isObject(actor) ? credentialFault(actor) : null;
    if (credential) faults.push(credential);
    else if (!departure) faults.push(...this.registryFaults(row.leafIndex, predicate));
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

  private compare({ treeSize, root, headHash, at }: OrgReadsClaim): void {
    if (!this.isWhole) return;
    const { size } = this.tree;
    const mismatch = (detail: string): void =>
      this.fail(treeSize, 'TENANT_CHECKPOINT_ROOT_MISMATCH', detail);
    if (treeSize > size) {
      this.isCut = true;
      this.fail(
        treeSize,
        'TENANT_CHECKPOINT_SIZE_MISMATCH',
        `a checkpoint saw ${treeSize} reads, and there are ${size}`,
      );
    } else if (treeSize < size) return;
    else if (root !== toHex(orgReadsRoot(size, this.tree.peakHashes)) || headHash !== this.newest)
      mismatch(`the first ${size} reads are not those that the checkpoint saw`);
    else if (at < this.at) mismatch('the checkpoint is older than the newest read that it covers');
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

const READERS: ReadonlySet<JsonValue> = new Set(['admin', 'platform', 'system']);

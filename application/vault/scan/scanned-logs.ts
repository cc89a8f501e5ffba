import { verifyingKeyOf } from '../../../domain/identity/agent-public-key.ts';
import { bytesEqual, toHex } from '../../../domain/kernel/digest.ts';
import { GrowingTree, leafHash } from '../../../domain/transparency/rfc9162-tree.ts';
import { readStatement, StatementError } from '../../../domain/transparency/scitt-statement.ts';
import {
  orgOfLog,
  type RegisteredStatement,
} from '../../../domain/transparency/statement-log.port.ts';
import type { LogKey } from '../../../domain/transparency/tree-store.port.ts';
import { schemaChain, type ChainKey } from '../../../domain/vault/chain-key.ts';
import { parseStatement, UnreadableError } from '../../../domain/vault/parsed-statement.ts';
import { verifySignature, VerifyingKeys } from '../../../domain/vault/signatures.ts';
import type { AcknowledgedLosses } from '../../../domain/verification/report/acknowledged-losses.ts';
import type { ChainFaults } from './scan-faults.ts';
import type { ScanLogSnapshot, StoredLeaf } from './scan-log-snapshot.port.ts';
import { ScannedNodes } from './scan-nodes.ts';

/** Roots that were signed, by size, in lowercase hex. */
type SignedRoots = ReadonlyMap<number, string>;

/**
 * Compares the transparency logs of orgs, one after the other, with the roots that checkpoints seal, and the statements in
 * them with their leaves. What no root covers yet has to verify under a key of its agent.
 */
export class ScannedLogs {
  private readonly keys = new VerifyingKeys();

  /** @param faultsOf the chain whose checkpoints cover a log. */
  constructor(
    private readonly snapshot: ScanLogSnapshot,
    private readonly losses: AcknowledgedLosses,
    private readonly faultsOf: (chainKey: ChainKey) => ChainFaults,
  ) {}

  /** @param onPage called now and then. */
  async compare(onPage: () => void): Promise<void> {
    let open: OpenLog | null = null;
    for await (const page of this.snapshot.leaves()) {
      for (const stored of page) {
        if (open?.log !== stored.log) {
          await open?.end();
          open = await this.open(stored.log);
        }
        await open.leaf(stored, (statement) => this.isSigned(statement));
      }
      onPage();
    }
    await open?.end();
  }

  private async open(log: LogKey): Promise<OpenLog> {
    const chainKey = schemaChain(orgOfLog(log));
    const roots = new Map<number, string>();
    for await (const page of this.snapshot.checkpointsOf(chainKey))
      for (const { coseSign1 } of page) {
        const tree = treeIn(coseSign1);
        if (tree && !this.losses.isLost(chainKey, tree.position, tree.at))
          roots.set(tree.size, tree.root);
      }
    return new OpenLog(this.snapshot, log, roots, () => this.faultsOf(chainKey));
  }

  private async isSigned({ agentId, coseSign1 }: RegisteredStatement): Promise<boolean> {
    try {
      const { algorithm, signature, signed } = readStatement(coseSign1);
      for (const { key } of await this.snapshot.signingKeys(agentId)) {
        const verifying = this.keys.of(verifyingKeyOf(key));
        if (verifying.key.algorithm !== algorithm) continue;
        if ((await verifySignature(verifying, signature, signed, 'any')) === 'valid') return true;
      }
      return false;
    } catch (error) {
      if (error instanceof StatementError) return false;
      throw error;
    }
  }
}

/** The log of one org. */
class OpenLog {
  private readonly nodes: ScannedNodes;
  private readonly covered: number;
  /** After a leaf that is missing no root can be computed, and one failure is enough. */
  private isWhole = true;

  constructor(
    snapshot: ScanLogSnapshot,
    readonly log: LogKey,
    private readonly roots: SignedRoots,
    private readonly faults: () => ChainFaults,
  ) {
    this.covered = Math.max(0, ...roots.keys());
    this.nodes = new ScannedNodes(snapshot, log, new GrowingTree(0, []), (detail) =>
      this.faults().fault('CHECKPOINT_ROOT_MISMATCH', null, detail),
    );
  }

  async leaf(
    { leaf, statement }: StoredLeaf,
    isSigned: (statement: RegisteredStatement) => Promise<boolean>,
  ): Promise<void> {
    const name = `scitt_leaves ${this.log} ${leaf.index}`;
    if (this.isWhole && leaf.index !== this.nodes.size) {
      this.isWhole = false;
      this.faults().fault(
        'CHECKPOINT_LOG_GAP',
        null,
        `${name}: the leaf ${this.nodes.size} is expected here`,
      );
    }
    if (leaf.entry === null) {
      if (!statement || !bytesEqual(leafHash(statement.coseSign1), leaf.hash))
        this.faults().drift(`${name}: no statement has its hash`);
      else if (leaf.index >= this.covered && !(await isSigned(statement)))
        this.faults().drift(`${name}: its statement is signed by no key of its agent`);
    }
    if (!this.isWhole) return;
    await this.nodes.leaf(leaf.hash);
    const root = this.roots.get(this.nodes.size);
    if (root === undefined || root === toHex(this.nodes.root)) return;
    this.isWhole = false;
    this.faults().fault(
      'CHECKPOINT_ROOT_MISMATCH',
      null,
      `${this.log}: its first ${this.nodes.size} leaves have another root than the one that was signed`,
    );
  }

  async end(): Promise<void> {
    await this.nodes.end();
    if (this.isWhole && this.covered > this.nodes.size)
      this.faults().fault(
        'CHECKPOINT_LOG_GAP',
        null,
        `${this.log} has ${this.nodes.size} leaves, and ${this.covered} were signed`,
      );
  }
}

/** What a checkpoint of a schema chain says of the log; whether it verifies was judged with the log of checkpoints. */
const treeIn = (
  coseSign1: Uint8Array,
): { readonly size: number; readonly root: string; position: number; at: string } | null => {
  try {
    const { treeSize, treeRoot, position, at } =
      parseStatement(coseSign1).statement?.predicate ?? {};
    if (typeof treeSize !== 'number' || typeof treeRoot !== 'string') return null;
    return { size: treeSize, root: treeRoot, position: Number(position), at: String(at) };
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
};

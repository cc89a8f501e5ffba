import { sha256Hex } from '../../kernel/digest.ts';
import type { ChainRow, EntryScope } from './chain-entry.ts';
import type { Findings } from '../report/report.ts';

/** Checks that each entry follows the one before it: its position, its hash, and the previous hash that it names. */
export class LinkCheck {
  private isFirst = true;
  private expected = 1;
  /** Null after an unreadable entry: nothing can be compared with its hash. */
  private previousHash: string | null = null;
  private readonly findings: Findings;
  private readonly scope: EntryScope;

  constructor(findings: Findings, scope: EntryScope) {
    this.findings = findings;
    this.scope = scope;
  }

  /** @returns the hash of the entry, computed from its bytes. */
  entry(row: ChainRow): string {
    this.checkPlace(row);
    const hash = this.checkHash(row);
    this.previousHash = row.hash ?? hash;
    this.expected = row.position + 1;
    this.isFirst = false;
    return hash;
  }

  /** An entry could not be read. */
  lose(): void {
    this.expected++;
    this.previousHash = null;
    this.isFirst = false;
  }

  private checkPlace(row: ChainRow): void {
    const { findings } = this;
    const place = { chainKey: this.scope.chainKey, position: row.position };
    findings.looked('positions');
    if (row.position !== this.expected)
      findings.fail(
        'positions',
        this.scope.area,
        'CHAIN_POSITION_GAP',
        place,
        `position ${this.expected} is expected here`,
      );
    if (this.isFirst) {
      findings.looked('genesis');
      if (row.position !== 1)
        findings.fail(
          'genesis',
          this.scope.area,
          'CHAIN_GENESIS_INVALID',
          place,
          `the chain starts at position ${row.position}`,
        );
      else if (row.previousHash !== undefined && row.previousHash !== GENESIS)
        findings.fail(
          'genesis',
          this.scope.area,
          'CHAIN_GENESIS_INVALID',
          place,
          'the first entry names an entry before it',
        );
    } else if (row.previousHash !== undefined && this.previousHash !== null) {
      findings.looked('links');
      if (row.previousHash !== this.previousHash)
        findings.fail(
          'links',
          this.scope.area,
          'CHAIN_LINK_BROKEN',
          place,
          'the previous hash is not the hash of the entry before',
        );
    }
  }

  private checkHash(row: ChainRow): string {
    const hash = sha256Hex(row.coseSign1);
    if (row.hash === undefined) return hash;
    this.findings.looked('hashes');
    if (row.hash !== hash)
      this.findings.fail(
        'hashes',
        this.scope.area,
        'CHAIN_HASH_MISMATCH',
        { chainKey: this.scope.chainKey, position: row.position },
        'the hash shown is not the SHA-256 of the bytes of the entry',
      );
    return hash;
  }
}

const GENESIS = '0'.repeat(64);

import { PLATFORM_CHAIN, schemaChain, type ChainKey } from '../../../vault/chain-key.ts';
import type { AcknowledgedLosses } from '../../report/acknowledged-losses.ts';
import type { Findings } from '../../report/report.ts';
import { NameTable } from './name-table.ts';
import { TypeVersions } from './type-versions.ts';
import {
  withUse,
  type FirstUses,
  type TypeAct,
  type TypesOfPart,
  type TypeUse,
} from './type-uses.ts';

/** A round of checkpoints may take so long, and cover a record before the chain of its type. */
const LONGEST_ROUND_SECONDS = 3_600;
/** More are not compared: a genuine dump has a few types for each org. */
const MOST = 100_000;

/** How far the chains of a dump are known to go. */
export interface LogEnds {
  /** `at` of the checkpoint that closes the newest round, in seconds since 1970; 0 without one. */
  readonly closedAt: number;
  /** The newest leaf of the log that covers the schema chain; undefined if none does. */
  newestOf(chainKey: ChainKey): number | undefined;
}

/**
 * Holds the type that each record begins with against the schema chains, which come after the chains of records. A type is a
 * version with the digest of its manifest.
 */
export class RegisteredTypes {
  private readonly uses = new Map<string, FirstUses>();
  private readonly registered = new NameTable();
  private readonly versions = new TypeVersions();
  private isFull = false;

  constructor(
    private readonly losses: AcknowledgedLosses,
    private readonly ends: LogEnds,
    private readonly findings: Findings,
  ) {}

  /** What a part of the file says, part after part in its order. */
  show({ uses, acts }: TypesOfPart): void {
    for (const { sealed, covered } of uses) {
      const known = this.uses.get(sealed.type);
      if (known) this.uses.set(sealed.type, withUse(withUse(known, sealed), covered));
      else if (this.uses.size < MOST) this.uses.set(sealed.type, { sealed, covered });
      else this.isFull = true;
    }
    for (const act of acts) this.act(act);
  }

  end(): void {
    for (const { sealed, covered } of this.uses.values()) {
      const [use] = [sealed, covered].filter((candidate) => this.isJudged(candidate));
      if (!use || this.hasLost(schemaChain(use.orgId))) continue;
      this.findings.looked('payloadBinding');
      if (!this.registered.get(sealed.type))
        this.fail(
          use,
          `no schema chain registers the type ${use.type} that the record begins with`,
        );
    }
    if (this.isFull)
      this.findings.cannotTell(
        'payloadBinding',
        `cannot tell: the records begin with more than ${MOST} types; those beyond are not compared with the schema chains`,
      );
  }

  private act(act: TypeAct): void {
    const fault = this.versions.faultOf(act);
    if (fault === null || this.hasLost(act.chainKey)) this.registered.set(act.type, 1);
    else this.fail(act, fault);
  }

  /** Whether the dump would hold the registration, if there was one. */
  private isJudged({ orgId, at, coveredBy }: TypeUse): boolean {
    const newest = this.ends.newestOf(schemaChain(orgId));
    return (
      (newest !== undefined && coveredBy !== null && coveredBy < newest) ||
      at + LONGEST_ROUND_SECONDS < this.ends.closedAt
    );
  }

  private hasLost(chainKey: ChainKey): boolean {
    return this.losses.of(chainKey).length + this.losses.of(PLATFORM_CHAIN).length > 0;
  }

  private fail(
    { chainKey, position = 1 }: { readonly chainKey: ChainKey; readonly position?: number },
    detail: string,
  ): void {
    this.findings.fail(
      'payloadBinding',
      'chain',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      { chainKey, position },
      detail,
    );
  }
}

import type { JsonObject } from '../../kernel/canonical-json.ts';
import { factsAfter } from '../../record/chain-facts.ts';
import { type EntryFacts } from '../../record/entry-facts.ts';
import { stepsLike } from '../../record/lifecycle-queries.ts';
import type { Transition } from '../../record/lifecycle.ts';
import type { RecordFacts } from '../../record/record-facts.ts';
import type {
  RecordStatePredicate,
  SettlementSignalPredicate,
} from '../../record/record-statement.ts';
import type { Manifest } from '../../record-type/manifest.ts';
import type { ChainRow, EntryScope } from '../entry/chain-entry.ts';
import type { JudgedCompletion, Judgement } from './gate-recheck.ts';
import type { CheckName, Findings } from '../report/report.ts';
import { checkActorOfStep } from './rules/actor-rule.ts';
import { checkAwaiting } from './rules/awaiting-rule.ts';
import { ChainMemory } from './rules/chain-memory.ts';
import { checkChildren } from './rules/children-rule.ts';
import { checkCreation } from './rules/creation-rule.ts';
import { checkDispute } from './rules/dispute-rule.ts';
import { FederatedChain, type BesidePredicate } from './rules/federated-chain.ts';
import { checkJudgement, isEvaluated } from './rules/judgement-rule.ts';
import { checkMembers } from './rules/members-rule.ts';
import { checkParties } from './rules/parties-rule.ts';
import { checkReference } from './rules/reference-rule.ts';
import { isMirrored, type Fail, type SealedStep, type StepRule } from './rules/sealed-step.ts';
import { sealedRecord, type SealedRecord } from './rules/sealed-record.ts';
import { checkSignal, checkSignalled } from './rules/signal-rule.ts';

const RULES: readonly StepRule[] = [
  checkMembers,
  checkCreation,
  checkParties,
  checkAwaiting,
  checkJudgement,
  checkChildren,
  checkDispute,
  checkReference,
];

/** Those of a mirror, which decides nothing: verdicts, deadlines and disputes are home's, by its own clock. */
const MIRROR_RULES: readonly StepRule[] = [
  checkMembers,
  checkCreation,
  checkParties,
  checkChildren,
  checkReference,
];

/**
 * Holds each entry of a record's chain against what the lifecycle, the disputes and the settlement make of the entries
 * before it: whoever holds the key can sign anything, and has to keep the rules all the same.
 */
export class RecordRules {
  /** What the chain says of the record so far: null before the first entry, undefined after one that nobody can judge by. */
  facts: RecordFacts | null | undefined = null;
  /** Every evaluation of gates, in the order of the chain. */
  readonly judgements: Judgement[] = [];
  private completion: JudgedCompletion | null = null;
  /** As of the newest step: a signal changes nothing that a rule asks for. */
  private record: SealedRecord | null = null;
  /** Null where the record is of this hub alone, or nothing says it. */
  federated: FederatedChain | null = null;
  private readonly memory = new ChainMemory();
  private readonly findings: Findings;
  private readonly scope: EntryScope;
  private readonly manifest: Manifest | null;

  /** @param manifest the one whose digest the chain seals; null where the file does not hold it. */
  constructor(findings: Findings, scope: EntryScope, manifest: Manifest | null) {
    this.findings = findings;
    this.scope = scope;
    this.manifest = manifest;
  }

  /** An entry could not be read, or is not of the published form. */
  lose(): void {
    this.facts = undefined;
  }

  entry(row: ChainRow, entry: EntryFacts, predicate: JsonObject): void {
    if (this.facts === undefined) return;
    const before = this.facts;
    this.facts = factsAfter(before, entry);
    if (entry.beside) this.beside(row, predicate);
    else if (entry.signal) this.signal(row, before, predicate);
    else this.step(row, entry, before, predicate);
  }

  /** What only the whole chain shows. */
  end(position: number): void {
    this.federated?.end(this.failing('lifecycle', { position }));
  }

  private beside(row: ChainRow, predicate: JsonObject): void {
    const fail = this.failing('lifecycle', row);
    const { record, federated } = this;
    if (!record || !federated)
      return fail('an entry about a peer stands on the chain of a record that has none');
    const entry = predicate as unknown as BesidePredicate;
    federated.beside(entry, record, fail, this.failing('actor', row));
  }

  private signal(row: ChainRow, before: RecordFacts | null, predicate: JsonObject): void {
    const fail = this.failing('lifecycle', row);
    const { manifest, memory, record } = this;
    if (!before || !record) return fail('a chain does not begin with a signal');
    const signal = predicate as unknown as SettlementSignalPredicate;
    if (record.federation?.role === 'mirror') fail('a mirror emits no signal of its own');
    checkSignal({ entry: signal, before: record, manifest, memory }, fail);
    memory.signal(signal);
  }

  private step(
    row: ChainRow,
    entry: EntryFacts,
    before: RecordFacts | null,
    predicate: JsonObject,
  ): void {
    const { manifest, memory } = this;
    const sealed = predicate as unknown as RecordStatePredicate;
    const { federation } = sealed.terms ?? {};
    if (!before && federation) this.federated = new FederatedChain(federation);
    const after = sealedRecord(this.facts!, manifest, this.federated?.claim ?? null);
    const step: SealedStep = {
      entry: sealed,
      before: this.record,
      after,
      transitions: transitionsOf(entry, before),
      manifest,
      memory,
    };
    const fail = this.failing('lifecycle', row);
    const mirrored = isMirrored(step);
    for (const rule of mirrored ? MIRROR_RULES : RULES) rule(step, fail);
    if (!mirrored) checkSignalled(memory, fail);
    checkActorOfStep(step, this.failing('actor', row));
    this.federated?.step(sealed, fail);
    memory.step(step);
    this.record = after;
    // Home evaluated over its own record.
    if (!mirrored) this.judge(row, step.entry);
  }

  private judge(row: ChainRow, entry: RecordStatePredicate): void {
    const facts = this.facts!;
    const { entryType, completionId, evidenceHash, gate, at } = entry;
    if (entryType === 'COMPLETION_SUBMITTED' && completionId !== undefined)
      this.completion = {
        id: completionId,
        revision: facts.revisionCount + 1,
        evidenceHash: evidenceHash ?? '',
        submittedAt: at,
        evidence: row.evidence,
      };
    if (isEvaluated(gate))
      this.judgements.push({
        position: row.position,
        entryType,
        gate,
        facts,
        completion: this.completion,
      });
  }

  private failing(check: CheckName, { position }: Pick<ChainRow, 'position'>): Fail {
    return (detail) =>
      this.findings.fail(
        check,
        this.scope.area,
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        { chainKey: this.scope.chainKey, position },
        detail,
      );
  }
}

const transitionsOf = (
  { transition, entryType }: EntryFacts,
  before: RecordFacts | null,
): readonly Transition[] =>
  transition
    ? stepsLike(
        { ...transition, entry: String(entryType) },
        before
          ? { pending: before.completionPending, counter: before.counterProposal !== null }
          : {},
      )
    : [];

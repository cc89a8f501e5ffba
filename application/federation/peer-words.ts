import { Type, type TObject } from 'typebox';
import { contentOfKind, type ContentItem } from '../../domain/federation/content.ts';
import {
  canonicalJson,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { assertReferenceTarget } from '../../domain/kernel/reference-target.ts';
import { assertClaimable } from '../../domain/record/claimed-gates.ts';
import { recipientsOf } from '../../domain/record/jwe.ts';
import type {
  ClaimedGateResult,
  RecordStatePredicate,
} from '../../domain/record/record-statement.ts';
import type { Manifest, RecordType } from '../../domain/record-type/manifest.ts';
import type { InputCheck, PartCheck } from '../call/input-check.port.ts';
import { pick } from '../call/input-form.ts';
import {
  OpenDisputeInput,
  ResolveDisputeInput,
  SubmitDisputeEvidenceInput,
} from '../dispute/inputs.ts';
import { line, nullable, text } from '../call/schemas.ts';
import { manifestCheck, type ManifestCheck } from '../record-type/manifest-check.ts';
import type { ContentCheck } from '../record/content-check.ts';
import {
  CreateRecordInput,
  ReferenceInput,
  RenderVerdictInput,
  TransitionInput,
} from '../record/inputs.ts';

/** A predicate that verified, and the contents that it hashes. */
export interface PeerWord {
  readonly predicate: RecordStatePredicate;
  readonly contents: readonly ContentItem[];
}

/**
 * The very checks that the operations of this hub apply to its own callers, applied to what a peer says: its entries have
 * the form of predicates, which bounds neither the length of a text nor its characters.
 */
export class PeerWords {
  private readonly manifestOf: ManifestCheck;
  private readonly terms: PartCheck;
  private readonly message: PartCheck;
  private readonly reason: PartCheck;
  private readonly resolution: PartCheck;
  private readonly reference: PartCheck;
  private readonly gateResults: PartCheck;
  private readonly gates: PartCheck;
  private readonly opening: PartCheck;
  private readonly evidence: PartCheck;

  constructor(
    inputs: InputCheck,
    private readonly contentCheck: ContentCheck,
  ) {
    const prepare = (noun: string, schema: TObject): PartCheck =>
      inputs.prepare({ noun, memberNoun: `member of ${noun}`, schema, hasHelp: false });
    this.manifestOf = manifestCheck(inputs);
    this.terms = prepare('the terms', pick(CreateRecordInput, ['platform', 'platformRef']));
    this.message = prepare('the message', pick(CreateRecordInput, ['message']));
    this.reason = prepare('the reason', pick(TransitionInput, ['reason']));
    this.resolution = prepare('the resolution', pick(ResolveDisputeInput, ['resolution']));
    this.reference = prepare('the reference', ReferenceInput);
    this.gateResults = prepare('the claim', pick(RenderVerdictInput, ['gateResults']));
    this.gates = prepare('the word on gates', GATE_WORDS);
    this.opening = prepare(
      'the dispute',
      pick(OpenDisputeInput, ['grounds', 'statement', 'evidence']),
    );
    this.evidence = prepare('the evidence', pick(SubmitDisputeEvidenceInput, ['evidence']));
  }

  /**
   * The manifest of an offer, within the bounds of a registration; whether schemas, gates and examples can be used is
   * still to be examined.
   *
   * @returns what is wrong, in words, where something is.
   */
  manifest(given: JsonObject | undefined): Manifest | string {
    if (given === undefined) return 'the offer brings no manifest';
    try {
      return this.manifestOf(given);
    } catch (error) {
      if (!(error instanceof NotaryError)) throw error;
      return wordsOf(error);
    }
  }

  /**
   * What needs no record type.
   *
   * @throws VALIDATION_ERROR or UNPROCESSABLE, as the operation would refuse it.
   */
  assertForm({ predicate, contents }: PeerWord): void {
    const { entryType, transition, terms, reference, reason, gate } = predicate;
    if (terms) this.terms({ platform: terms.platform, platformRef: terms.platformRef });
    const message = contentOfKind(contents, 'message');
    if (message !== null) this.message({ message });
    if (reason !== undefined)
      if (entryType === 'DISPUTE_RESOLVED') this.resolution({ resolution: reason });
      else this.reason({ reason });
    if (reference) {
      const { id: _, ...target } = reference;
      this.reference(target);
      assertReferenceTarget(target, '/reference');
    }
    if (gate && 'claimedBy' in gate) this.gateResults({ gateResults: gate.results });
    else if (gate) this.gates({ results: gate.results.map(wordsOfGate) });
    const dispute = contentOfKind(contents, 'dispute');
    if (dispute === null) return;
    if (transition.action === 'open-dispute') this.opening(withoutNulls(dispute));
    else this.evidence(dispute);
  }

  /**
   * What the use cases judge by the record type: that of the mirror.
   *
   * @param orgId of the mirror, which pays for the check.
   * @returns what is wrong, in words; null where nothing is.
   */
  async fault(word: PeerWord, recordType: RecordType, orgId: Uuid): Promise<string | null> {
    try {
      this.assertForm(word);
      const { gate } = word.predicate;
      if (gate && 'claimedBy' in gate) assertClaimable(recordType.manifest, gate.results);
      const criteria = contentOfKind(word.contents, 'criteria');
      const evidence = evidenceOf(contentOfKind(word.contents, 'dispute'));
      const refusal =
        (isObject(criteria ?? undefined)
          ? await this.contentCheck.criteria({ orgId }, recordType, criteria as JsonObject, null)
          : null) ??
        (evidence ? await this.contentCheck.disputeEvidence(recordType, evidence, null) : null);
      return refusal ? wordsOf(refusal) : recipientsFault(word, recordType);
    } catch (error) {
      if (!(error instanceof NotaryError) || !REFUSALS.has(error.entry.kind)) throw error;
      return wordsOf(error);
    }
  }
}

const CLOSED = { additionalProperties: false } as const;

/** What home's evaluation of gates says in words, within the bounds of what a caller may claim of them. */
const GATE_WORDS = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          gateId: line({ maxLength: 64 }),
          detail: nullable(text({ maxLength: 512 })),
        },
        CLOSED,
      ),
      { maxItems: 128 },
    ),
  },
  CLOSED,
);

const wordsOfGate = ({ gateId, detail }: ClaimedGateResult): object => ({ gateId, detail });

const REFUSALS: ReadonlySet<string> = new Set(['malformed', 'unprocessable']);

/** An opening says null where a caller says nothing. */
const withoutNulls = (content: JsonValue): JsonValue =>
  isObject(content)
    ? Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null))
    : content;

/** A local entry seals the recipients of the very content that it hashes; so does one that a peer brings. */
const recipientsFault = (
  { predicate, contents }: PeerWord,
  { manifest }: RecordType,
): string | null => {
  if (manifest.operatingMode !== 'encrypted') return null;
  const criteria = contentOfKind(contents, 'criteria');
  const content = isObject(criteria ?? undefined)
    ? (criteria as JsonObject)
    : evidenceOf(contentOfKind(contents, 'dispute'));
  if (!content) return null;
  const sealed = predicate.encryption?.recipients ?? [];
  return canonicalJson([...sealed]) === canonicalJson([...recipientsOf(content)])
    ? null
    : 'the recipients that the entry seals are not those of the content';
};

const evidenceOf = (content: string | JsonObject | null): JsonObject | null => {
  const evidence = isObject(content ?? undefined) ? (content as JsonObject)['evidence'] : undefined;
  return isObject(evidence) ? evidence : null;
};

/** Bounded: it is kept with the refusal, and sent to the peer. */
const wordsOf = ({ message }: NotaryError): string =>
  message.slice(0, MAX_WORDS).replace(/\.$/, '');
const MAX_WORDS = 500;

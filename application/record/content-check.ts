import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { schemaKey } from '../../domain/record-type/examine-manifest.ts';
import type { GateEvaluator } from '../../domain/record-type/gate-evaluator.port.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { SchemaValidators } from '../../domain/record-type/schema-validator.port.ts';
import { strayJwe, type EncryptedContent, type Readers } from './encrypted-content.ts';

/** Whose share of the work it is; the platform's is that of the org that it works for. */
type PayingCaller = Pick<Caller, 'orgId'>;

/** Phase 1: criteria and evidence against the schemas of the pinned manifest; in the encrypted mode, against the form of a JWE. */
export class ContentCheck {
  constructor(
    private readonly validators: SchemaValidators,
    private readonly encrypted: EncryptedContent,
    private readonly gates: GateEvaluator,
  ) {}

  /**
   * @param caller who asks for it.
   * @param readers the parties whose keys the content of an encrypted type must name; null where nobody is named yet.
   * @returns the refusal, to be thrown where its turn in the order of refusals comes; null when valid.
   */
  async criteria(
    caller: PayingCaller,
    recordType: RecordType,
    criteria: JsonObject,
    readers: Readers | null,
  ): Promise<NotaryError | null> {
    if (recordType.manifest.operatingMode === 'encrypted')
      return this.encrypted.refusal(recordType, 'criteria', criteria, readers);
    return this.check(
      caller,
      recordType,
      'criteria',
      recordType.manifest.criteriaSchema,
      recordType.manifest.exampleCriteria,
      criteria,
    );
  }

  async evidence(
    caller: PayingCaller,
    recordType: RecordType,
    evidence: JsonObject,
    readers: Readers | null,
  ): Promise<NotaryError | null> {
    if (recordType.manifest.operatingMode === 'encrypted')
      return this.encrypted.refusal(recordType, 'evidence', evidence, readers);
    // The next step holds locks, and must find the gates compiled.
    await this.gates.prepare(recordType.manifest.gates);
    return this.check(
      caller,
      recordType,
      'evidence',
      recordType.manifest.completionSchema,
      recordType.manifest.exampleEvidence,
      evidence,
    );
  }

  /** The part of `criteria` that is short enough for a lock: whether the present parties can read them. */
  async readers(
    recordType: RecordType,
    criteria: JsonObject,
    readers: Readers,
  ): Promise<NotaryError | null> {
    return recordType.manifest.operatingMode === 'encrypted'
      ? this.encrypted.refusal(recordType, 'criteria', criteria, readers)
      : null;
  }

  /** Whether a performer who is named later can read the criteria that are already on the table. */
  async offer(
    recordType: RecordType,
    criteria: JsonObject,
    readers: Readers,
  ): Promise<NotaryError | null> {
    return recordType.manifest.operatingMode === 'encrypted'
      ? this.encrypted.offerRefusal(criteria, readers)
      : null;
  }

  /** Evidence in a dispute has no schema; in the encrypted mode it is a JWE, like all other content. */
  async disputeEvidence(
    recordType: RecordType,
    evidence: JsonObject,
    readers: Readers | null,
  ): Promise<NotaryError | null> {
    if (recordType.manifest.operatingMode === 'encrypted')
      return this.encrypted.refusal(recordType, 'evidence', evidence, readers);
    return strayJwe(recordType, 'evidence', evidence);
  }

  private async check(
    caller: PayingCaller,
    recordType: RecordType,
    member: 'criteria' | 'evidence',
    schema: JsonObject,
    example: JsonObject | null,
    value: JsonObject,
  ): Promise<NotaryError | null> {
    const stray = strayJwe(recordType, member, value);
    if (stray) return stray;
    const outcome = await this.validators
      .of(caller.orgId ?? recordType.orgId)
      .validate(
        schemaKey(recordType.manifestDigest, member === 'criteria' ? 'criteria' : 'completion'),
        schema,
        value,
      );
    if (outcome.valid) return null;
    const examplePayload = example ?? outcome.example;
    const errors = outcome.errors.map((error) => ({ ...error, path: `/${member}${error.path}` }));
    return new NotaryError(
      'SCHEMA_VALIDATION_ERROR',
      `The ${member} ${member === 'criteria' ? 'do' : 'does'} not fit the record type ${recordType.type}: ${errors[0]?.path ?? ''} ${errors[0]?.message ?? 'is not valid'}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}.`,
      {
        errors,
        requiredFields: outcome.requiredFields,
        optionalFields: outcome.optionalFields,
        ...(examplePayload === undefined ? {} : { examplePayload }),
        recordType: recordType.type,
        publisher: recordType.publisher,
        version: recordType.version,
        ...(recordType.manifest.public
          ? {
              publicSchema: member === 'criteria' ? ('criteria' as const) : ('completion' as const),
            }
          : {}),
        suggestion: `Correct the members listed in errors${examplePayload === undefined ? '' : `; examplePayload shows ${member} that would pass`}.`,
      },
    );
  }
}

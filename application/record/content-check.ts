import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { schemaKey } from '../../domain/record-type/examine-manifest.ts';
import { examplePayload } from '../../domain/record-type/example-payload.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { SchemaValidator } from '../../domain/record-type/schema-validator.port.ts';

/** Phase 1: criteria and evidence against the schemas of the pinned manifest. */
export class ContentCheck {
  constructor(private readonly validator: SchemaValidator) {}

  /** @returns the refusal, to be thrown where its turn in the order of refusals comes; null when valid. */
  criteria(recordType: RecordType, criteria: JsonObject): NotaryError | null {
    return this.check(recordType, 'criteria', recordType.manifest.criteriaSchema, recordType.manifest.exampleCriteria, criteria);
  }

  evidence(recordType: RecordType, evidence: JsonObject): NotaryError | null {
    return this.check(recordType, 'evidence', recordType.manifest.completionSchema, recordType.manifest.exampleEvidence, evidence);
  }

  private check(recordType: RecordType, member: 'criteria' | 'evidence', schema: JsonObject, example: JsonObject | null, value: JsonObject): NotaryError | null {
    const outcome = this.validator.validate(schemaKey(recordType.manifestDigest, member === 'criteria' ? 'criteria' : 'completion'), schema, value);
    if (outcome.valid) return null;
    const errors = outcome.errors.map((error) => ({ ...error, path: `/${member}${error.path}` }));
    return new NotaryError('SCHEMA_VALIDATION_ERROR', `The ${member} ${member === 'criteria' ? 'do' : 'does'} not fit the record type ${recordType.type}: ${errors[0]?.path ?? ''} ${errors[0]?.message ?? 'is not valid'}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}.`, {
      errors,
      requiredFields: outcome.requiredFields,
      optionalFields: outcome.optionalFields,
      examplePayload: example ?? examplePayload(schema),
      recordType: recordType.type,
      publisher: recordType.publisher,
      version: recordType.version,
      ...(recordType.manifest.public ? { publicSchema: member === 'criteria' ? ('criteria' as const) : ('completion' as const) } : {}),
      suggestion: `Correct the members listed in errors; examplePayload shows ${member} that would pass.`,
    });
  }
}
